import pytest

# Once `cairn-testing` is installed, pytest finds its fixtures by itself. Without, with clients/testing on PYTHONPATH, name them:
# pytest_plugins = ["pytest_cairn"]


@pytest.fixture(scope="session")
def cairn_seed():
    return ["Invoices are sent on the first of the month.", "The staging database is reset every night at two."]
