"""What schemathesis does before and after each call."""

import uuid

import schemathesis
from schemathesis.specs.openapi.checks import positive_data_acceptance

KEY = "Idempotency-Key"

# Why a request that fits its schema is still refused with 422: what the document says in words only.
BEYOND_SCHEMA = (
    "Text must not contain NUL characters",
    "is too large to be kept exactly",
    "weight_min must not be above weight_max",
    "metadata_mode says how to apply metadata",
    "for a skill",
    '"loc":["body","data"',
    "The doc_id names '",
    "The key __proto__ is reserved",
    "A name needs at least one letter or digit",
)


@schemathesis.hook
def before_call(context, case, kwargs):
    """Every request is one of its own: its key must not be that of another one."""
    key = (case.headers or {}).get(KEY)
    if isinstance(key, str) and key.strip() and len(key) <= 255:
        case.headers[KEY] = str(uuid.uuid4())


@schemathesis.check
def positive_data_acceptance_within_schema(context, response, case):
    """The check of schemathesis, but for what no schema can say."""
    if response.status_code == 422 and any(reason in response.text for reason in BEYOND_SCHEMA):
        return None
    return positive_data_acceptance(context, response, case)
