"""The sandbox for tests in Python (3.9 or newer, standard library only), with Node.js 24 or newer on the PATH."""
import atexit, base64, json, os, re, subprocess, threading, time
from contextlib import AbstractContextManager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import ProxyHandler, Request, build_opener

_READY = "The sandbox is ready"
_UNIT_MS = {"s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}
_EVENT_TYPES = (
    ["Order_Updated", "Order_StatusUpdateFailed", "Order_CancelFailed", "Operation_Failed"]
    + ["ProductWithSKUs_" + end for end in ("Created", "Updated", "CreationFailed", "UpdateFailed", "PartiallyFailed")]
    + [entity + "_CreationFailed" for entity in ("Brand", "Category", "SKUPricing", "Warehouse", "WarehouseSKU")]
)


class SandboxError(AssertionError):
    """A sentence: what was called or waited for, and what came instead."""


class Sandbox(AbstractContextManager):
    """A process on a free port, with its state in memory, one merchant and a registered webhook."""

    credentials = {"contractAccountId": "11111111-1111-4111-8111-111111111111",
                   "username": "erp", "password": "erp", "apiKey": "key"}
    webhook_token = "token"
    headers = {"authorization": "Basic " + base64.b64encode(b"erp:erp").decode(),
               "x-contractAccountId": credentials["contractAccountId"], "X-API-KEY": credentials["apiKey"]}

    @classmethod
    def start(cls, receiver=None):
        """`receiver` is the URL of yours; by default a server of the helper answers 200 and records in `received`."""
        return cls(receiver)

    def __init__(self, receiver):
        self.received = []
        self._server = None
        env = {name: os.environ[name] for name in ("PATH", "NODE_OPTIONS", "SYSTEMROOT") if name in os.environ}
        self._child = subprocess.Popen(["node", _main(), "--port", "0"], env={**env, "LOG_LEVEL": "info"},
                                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8")
        atexit.register(self.stop)
        try:
            self.url = self._ready_url()
            url = receiver or self._listen()
            self.call("POST", "/admin/tenants", self.credentials)
            webhook = {"originType": "Api_call", "originData": "tests", "url": url, "authToken": self.webhook_token}
            self.call("POST", "/v1/Webhooks", {**webhook, "eventTypes": _EVENT_TYPES})
        except BaseException:
            self.stop()
            raise

    def __exit__(self, *_):
        self.stop()

    def call(self, method, path, body=None):
        """Calls any route, as the merchant; returns the JSON of the answer, and raises unless it is a 2xx."""
        headers = {**self.headers, "content-type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        try:
            with build_opener(ProxyHandler({})).open(Request(self.url + path, data, headers, method=method)) as answer:
                said = answer.read()
        except HTTPError as error:
            raise SandboxError(f"{method} {path} was answered {error.code}: {error.read().decode()}") from None
        except OSError as error:
            raise SandboxError(f"{method} {path} was not answered: is the sandbox stopped?") from error
        return json.loads(said) if said else None

    def seed(self, **size):
        """Fills the shop: what `POST /admin/seed` takes and answers. The same seed makes the same shop."""
        return self.call("POST", "/admin/seed", size)

    def buy(self, **basket):
        """A shopper's purchase: what `POST /admin/orders` takes and answers, paid unless you say otherwise."""
        return self.call("POST", "/admin/orders", {"payment": "approved", **basket})

    def wait_for_delivery(self, event, order=None, status=None, product=None, timeout=30):
        """Waits until the receiver has answered a matching notification with 2xx; of several, the newest."""
        subject = order["number"] if order else product
        about = {"orderNumber": subject} if order else {"product": product} if product else {}
        deadline = time.monotonic() + timeout
        while True:
            found = self.call("GET", "/admin/notifications?" + urlencode({"order": "newest", **about}))
            for each in found:
                if each["state"] == "delivered" and each["eventType"] == event and status in (None, each["status"]):
                    return each
            if time.monotonic() >= deadline:
                wanted, instead = _named(event, status, subject), "; ".join(map(_described, found[:5])) or "nothing"
                raise SandboxError(f"{wanted} was not delivered within {timeout} s. Instead came: {instead}")
            time.sleep(0.02)

    def advance(self, duration):
        """Advances the clock by `90s`, `30m`, `1h` or `2d`: what is due by then comes now."""
        match = re.fullmatch(r"(\d+)([smhd])", duration)
        if match is None:
            raise SandboxError(f'"{duration}" is no duration: write it as 90s, 30m, 1h or 2d')
        self.call("POST", "/admin/clock", {"advanceMs": int(match[1]) * _UNIT_MS[match[2]]})

    def stop(self):
        atexit.unregister(self.stop)
        self._child.terminate()
        self._child.wait()
        self._child.stdout.close()
        if self._server:
            self._server.shutdown()
            self._server.server_close()

    def _ready_url(self):
        lines = []
        for line in self._child.stdout:
            if _READY in line:
                # Later lines are read lest they fill the pipe.
                threading.Thread(target=self._child.stdout.read, daemon=True).start()
                return json.loads(line)["url"]
            lines.append(line)
        raise SandboxError(f"The sandbox ended with code {self._child.wait()}. It said: {''.join(lines[-5:])}")

    def _listen(self):
        received = self.received

        class Receiver(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"])).decode()
                received.append({"headers": dict(self.headers), "body": body})
                self.send_response(200)
                self.end_headers()

            def log_message(self, *_): ...

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{self._server.server_port}/"


def _main():
    """The program: GONDOLA_SANDBOX, or that of the package of this file, or of `node_modules` in the working folder."""
    packages = [Path(__file__).resolve().parent.parent, Path("node_modules/@gondola/platform-sandbox").absolute()]
    mains = [str(package / "dist/main.js") for package in packages if (package / "dist/main.js").exists()]
    if main := os.environ.get("GONDOLA_SANDBOX") or next(iter(mains), None):
        return main
    raise SandboxError("There is no sandbox here: set GONDOLA_SANDBOX to dist/main.js of @gondola/platform-sandbox")


def _named(event, status, subject):
    return event + (f" {status}" if status else "") + (f" of {subject}" if subject else "")


def _described(each):
    due = [f"due at {each['dueAt']}"] if each["state"] == "pending" else []
    answers = [f"answered {attempt['answer'] or 'nothing'}" for attempt in each["attempts"]]
    subject = each["orderNumber"] or each["reference"]
    return f"{_named(each['eventType'], each['status'], subject)} ({', '.join([each['state'], *due, *answers])})"
