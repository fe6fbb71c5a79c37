"""The base class of the models that are generated from openapi.yaml."""

from pydantic import BaseModel, ConfigDict


class Model(BaseModel):
    """A JSON object of the API.

    Responses can have members that this version of the package doesn't know. They are kept, and are in
    `model_extra`. A validation error doesn't quote the response, because a response can contain a new key.
    """

    model_config = ConfigDict(
        extra="allow", populate_by_name=True, hide_input_in_errors=True, protected_namespaces=()
    )
