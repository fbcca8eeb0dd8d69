def test_what_was_saved_is_found_in_other_words(cairn):
    cairn.post("/memories", {"content": "The staging database is reset every night at two."})
    found = cairn.post("/search", {"query": "when is staging wiped?", "top_k": 1})
    assert "every night at two" in found["items"][0]["content"]


def test_a_document_is_found_by_what_it_says(cairn):
    data = {"summary": "How to roll a release back", "body": "Run the previous tag's pipeline again."}
    cairn.post("/documents", {"collection": "runbooks", "doc_id": "rollback", "data": data})
    found = cairn.post("/documents/search", {"collection": "runbooks", "query": "undo a deployment", "top_k": 1})
    assert found["results"][0]["doc_id"] == "rollback"
