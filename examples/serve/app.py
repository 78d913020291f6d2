"""A model file behind HTTP, with the standard library: python app.py my.model [PORT]

    curl localhost:8000 -d '[{"age": 41, "job": "cook"}, {"age": null, "job": "clerk"}]'

answers [{"label": ..., "probabilities": {...}}, ...], one for each row. A column that is null or absent is missing.
Behind a server of many processes: gunicorn 'app:application_of("my.model")'.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from typing import Any
from wsgiref.simple_server import make_server

import pandas as pd

from induce import GPClassifier

LARGEST_BODY = 1_000_000  # bytes


def application_of(path: str) -> Callable[..., Iterable[bytes]]:
    model = GPClassifier.load(path)
    names = [column.name for column in model.columns_]

    def answer(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        table = pd.DataFrame(rows, columns=names)
        labels = [str(label) for label in model.predict(table)]
        classes = [str(label) for label in model.classes_]
        return [
            {"label": label, "probabilities": dict(zip(classes, row, strict=True))}
            for label, row in zip(labels, model.predict_proba(table).tolist(), strict=True)
        ]

    def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        try:
            length = int(environ.get("CONTENT_LENGTH") or 0)
            if length > LARGEST_BODY:
                raise ValueError(f"the request has {length} bytes; the limit is {LARGEST_BODY}")
            rows = json.loads(environ["wsgi.input"].read(length))
            if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows) or not rows:
                raise ValueError("the request must be a list of rows, each an object with a value for each column")
            status, body = "200 OK", answer(rows)
        except ValueError as error:  # also induce.Error and what json raises
            status, body = "400 Bad Request", {"error": str(error)}
        start_response(status, [("Content-Type", "application/json")])
        return [json.dumps(body).encode()]

    return application


if __name__ == "__main__":
    port = int(sys.argv[2]) if len(sys.argv) > 2 else 8000
    with make_server("127.0.0.1", port, application_of(sys.argv[1])) as server:
        server.serve_forever()
