import io
import sys
import unittest
from unittest import mock
from unittest.mock import patch, MagicMock


class Api:
    def fetch(self, n):
        raise OSError("network")


class Client:
    def __init__(self, api):
        self.api = api

    def total(self, n):
        return sum(self.api.fetch(i) for i in range(n))


@patch.object(Api, "fetch", return_value=7)
class TestPatched(unittest.TestCase):
    def test_total(self, fetch):
        self.assertEqual(Client(Api()).total(2), 14)
        self.assertEqual(fetch.call_count, 2)


class TestClient(unittest.TestCase):
    data = [(1, 2), (2, 4)]

    def setUp(self):
        self.api = MagicMock()
        self.client = Client(self.api)
        patcher = patch.object(Api, "fetch", lambda self, n: n * 10)
        patcher.start()
        self.addCleanup(patcher.stop)

    @patch("sys.argv", ["x", "y"])
    def test_argv(self):
        self.assertEqual(sys.argv[1], "y")

    def test_mock(self):
        self.api.fetch.side_effect = [1, 2, 3]
        self.assertEqual(self.client.total(3), 6)
        self.api.fetch.assert_called_with(2)
        self.api.fetch.assert_has_calls([mock.call(0), mock.call(1)])
        with self.assertRaises(AssertionError):
            self.api.fetch.assert_called_once()

    def test_real(self):
        self.assertEqual(Client(Api()).total(3), 30)

    def test_table(self):
        for a, b in self.data:
            with self.subTest(a=a):
                self.assertEqual(a * 2, b)

    def test_context(self):
        with self.assertRaises(ZeroDivisionError):
            1 / 0
        with patch.object(self.client, "api") as api:
            api.fetch.return_value = 1
            self.assertEqual(self.client.total(4), 4)


class Result(unittest.TestResult):
    def addSuccess(self, test):
        super().addSuccess(test)
        print("ok", test.id())

    def addFailure(self, test, err):
        super().addFailure(test, err)
        print("fail", test.id(), err[1])

    def addError(self, test, err):
        super().addError(test, err)
        print("error", test.id(), repr(err[1]))


suite = unittest.defaultTestLoader.loadTestsFromModule(sys.modules[__name__])
result = Result()
suite.run(result)
print(result.testsRun, result.wasSuccessful(), result)
one = unittest.TestLoader().loadTestsFromName("TestClient.test_real", sys.modules[__name__])
print(one.countTestCases())
print(unittest.TextTestRunner(stream=io.StringIO()).run(one).wasSuccessful())
