"""The law by number: a test for every worked case, and one for each ruling that shows at the table."""
