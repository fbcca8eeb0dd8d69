"""Fixtures of pytest: `cairn`, an instance in its seeded state for each test. Another `cairn_seed` gives another one."""

import json

import pytest
from cairn_testing import Cairn, CairnError

__all__ = ["Cairn", "CairnError", "cairn", "cairn_options", "cairn_seed", "cairn_servers"]


@pytest.fixture(scope="session")
def cairn_seed():
    """What every test finds: memories, or a function that is given the address. Override it in conftest.py or in a module."""
    return []


@pytest.fixture(scope="session")
def cairn_options():
    """How instances are started: `binary`, `args`, `env`."""
    return {}


@pytest.fixture(scope="session")
def cairn_servers(cairn_options):
    """The instances of this process, one for each seed; each worker of pytest-xdist has its own."""
    servers = {}

    def server_for(seed):
        key = seed if callable(seed) else json.dumps(seed)
        if key not in servers:
            servers[key] = Cairn(seed, **cairn_options)
        return servers[key]

    yield server_for
    for server in servers.values():
        server.stop()


@pytest.fixture
def cairn(cairn_servers, cairn_seed):
    """An instance in its seeded state, whatever other tests did to it."""
    server = cairn_servers(cairn_seed)
    server.reset()
    return server


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item):
    """Beside a test that failed stands what its instance wrote."""
    report = (yield).get_result()
    server = getattr(item, "funcargs", {}).get("cairn")
    if report.failed and isinstance(server, Cairn):
        report.sections.append(("cairn log", server.logs()))
