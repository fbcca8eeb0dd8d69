def ask(cairn, question):
    """The statement that fits best."""
    return cairn.call("POST", "/api/v1/search", {"query": question, "top_k": 1})["items"][0]["content"]


def test_what_is_known_is_found_in_other_words(cairn):
    assert "every night at two" in ask(cairn, "when is staging wiped?")


def test_what_a_test_deletes_is_gone_for_it(cairn):
    for memory in cairn.call("GET", "/api/v1/memories")["items"]:
        cairn.call("DELETE", f"/api/v1/memories/{memory['id']}?tenant_id=default")
    assert cairn.call("GET", "/api/v1/memories/count") == {"count": 0}


def test_and_is_back_for_the_next(cairn):
    assert cairn.call("GET", "/api/v1/memories/count") == {"count": 2}
