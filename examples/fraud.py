# %% [markdown]
# # Rare cases: probabilities first, then a threshold by cost
# One payment in forty is fraud. A missed fraud costs 100, a check of a payment costs 4. The table is made up.

# %%
import numpy as np
import pandas as pd
from sklearn.metrics import log_loss, roc_auc_score
from sklearn.model_selection import train_test_split

from induce import GPClassifier, plot

random = np.random.default_rng(0)
n = 6000
payments = pd.DataFrame(
    {
        "amount": random.lognormal(3.5, 1.2, n).round(2),
        "hour": random.integers(0, 24, n),
        "country": random.choice(["home", "near", "far"], n, p=[0.85, 0.1, 0.05]),
        "device": random.choice(["known", "new"], n, p=[0.9, 0.1]),
    }
)
night = np.exp(-(((payments["hour"] - 3) / 3) ** 2))
odds = -7.2 + 0.6 * np.log(payments["amount"]) + 2.0 * night + 1.5 * (payments["country"] == "far")
odds += 1.2 * (payments["device"] == "new") + 1.5 * (payments["device"] == "new") * night
fraud = random.random(n) < 1 / (1 + np.exp(-odds))
X_train, X_test, y_train, y_test = train_test_split(payments, fraud, random_state=0, test_size=0.5, stratify=fraud)
print(f"{fraud.mean():.1%} of {n} payments are fraud")

# %% [markdown]
# Fit without weights: the probabilities are then those of the data, and a threshold follows from the costs. A check
# pays if p * 100 > 4, that is p > 0.04.

# %%
MISSED, CHECK = 100, 4


def cost(probability, threshold):
    checked = probability > threshold
    return CHECK * checked.sum() + MISSED * (y_test & ~checked).sum()


classifier = GPClassifier().fit(X_train, y_train)
p = classifier.predict_proba(X_test)[:, 1]
print(f"plain:    AUC {roc_auc_score(y_test, p):.3f}, log loss {log_loss(y_test, p):.3f}")
print(f"          mean probability {p.mean():.3f}, observed {y_test.mean():.3f}")
print(f"          cost with threshold 0.50: {cost(p, 0.5)}, with threshold 0.04: {cost(p, CHECK / MISSED)}")
thresholds = np.linspace(0.005, 0.5, 100)
best = thresholds[np.argmin([cost(p, t) for t in thresholds])]
print(
    f"          cost of checking nothing: {MISSED * y_test.sum()}, of the best threshold afterwards: {cost(p, best)}"
)
plot.calibration_curve(classifier, X_test, y_test)

# %% [markdown]
# Often the other rows are thinned out before they are stored: here one in five is kept. A fit of such a table
# believes that fraud is five times as frequent. `class_weight` corrects that: the odds of the others are multiplied
# by five after the fit, which ranks payments as before.

# %%
kept = y_train | (random.random(len(y_train)) < 0.2)
for name, weights in {"thinned": None, "weighted": {False: 5, True: 1}}.items():
    thinned = GPClassifier(class_weight=weights).fit(X_train[kept], y_train[kept])
    q = thinned.predict_proba(X_test)[:, 1]
    print(f"{name + ':':9} AUC {roc_auc_score(y_test, q):.3f}, log loss {log_loss(y_test, q):.3f}")
    print(f"          mean probability {q.mean():.3f}, observed {y_test.mean():.3f}")
    print(f"          cost with threshold 0.04: {cost(q, CHECK / MISSED)}")
