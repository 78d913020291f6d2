# %% [markdown]
# # Which customers leave?
# A table as a company has it: numbers, texts, a date, gaps and an id. It is made up here, so the true probabilities
# are known. Nothing is encoded, filled or scaled before the fit.

# %%
import numpy as np
import pandas as pd
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split

from induce import GPClassifier, plot

random = np.random.default_rng(0)
n = 1600
customers = pd.DataFrame(
    {
        "customer": [f"C{number}" for number in random.choice(10**6, n, replace=False)],
        "months": random.gamma(1.5, 18, n).round(),
        "charge": random.normal(60, 20, n).clip(15).round(2),
        "calls": random.poisson(1.2, n),
        "contract": random.choice(["monthly", "yearly", "two years"], n, p=[0.55, 0.25, 0.2]),
        "payment": random.choice(["card", "transfer", "cheque"], n),
        "last_visit": pd.Timestamp("2024-01-01") + pd.to_timedelta(random.integers(0, 365, n), "D"),
    }
)
odds = customers["contract"].map({"monthly": 0.0, "yearly": -1.8, "two years": -3.0})
odds += -0.8 + 0.04 * (customers["charge"] - 60) - 0.03 * customers["months"]
odds += np.where(customers["calls"] >= 3, 1.8, 0.0)  # the third call to support is one too many
truth = 1 / (1 + np.exp(-odds))
left = pd.Series(np.where(random.random(n) < truth, "left", "stayed"), name="left")
customers.loc[random.random(n) < 0.1, "charge"] = np.nan
customers.loc[random.random(n) < 0.1, "payment"] = None
print(f"{n} customers, {(left == 'left').mean():.0%} left, {customers.isna().any(axis=1).mean():.0%} have gaps")

# %%
X_train, X_test, y_train, y_test, _, p_test = train_test_split(customers, left, truth, random_state=0)
classifier = GPClassifier(drop=["customer"]).fit(X_train, y_train)
probability = classifier.predict_proba(X_test)[:, 0]  # of classes_[0], "left"
best = log_loss(y_test == "left", p_test)
guess = log_loss(y_test == "left", np.full(len(y_test), np.mean(y_train == "left")))
print(f"log loss of held-out rows: {log_loss(y_test == 'left', probability):.3f}")
print(f"  with the true probabilities, known because the table is made up (and without gaps): {best:.3f}")
print(f"  with the share of the training rows for everyone: {guess:.3f}")

# %% [markdown]
# What does each column do? The curves are log odds of "stayed", the second class, with bands of 95 %.

# %%
for effect in sorted(classifier.effects(), key=lambda effect: -effect.total)[:4]:
    low, high = (effect.values[at] for at in (effect.mean.argmin(), effect.mean.argmax()))
    if not isinstance(low, str):
        low, high = round(low, 1), round(high, 1)
    print(f"{effect.feature:12}{effect.total:5.0%}  lowest at {low}, highest at {high}")
plot.effects(classifier, top=4)

# %% [markdown]
# Whom to call? Not those with the highest probability alone: those whom the model is sure about.

# %%
mean, variance = classifier.predict_latent(X_test)
sure = X_test.assign(probability=probability.round(2), deviation=np.sqrt(variance).round(2))
print(
    sure.nlargest(5, "probability")[["customer", "contract", "calls", "probability", "deviation"]].to_string(
        index=False
    )
)
