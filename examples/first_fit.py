"""A first fit from Python:   python examples/first_fit.py"""

from sklearn.datasets import load_breast_cancer
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split

from induce import GPClassifier

X, y = load_breast_cancer(return_X_y=True, as_frame=False)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.3, random_state=0)
classifier = GPClassifier().fit(X_train, y_train)
p = classifier.predict_proba(X_test)
print(f"{len(y_test)} test rows: accuracy {classifier.score(X_test, y_test):.3f}, NLL {log_loss(y_test, p):.3f}")
