"""A paid order, as an ERP sees it over HTTP. Run it with `python3 -m unittest test_order`, beside gondola_sandbox.py."""
import unittest

from gondola_sandbox import Sandbox, SandboxError

CHEESE = {"skuExternalReference": "1001-1", "quantity": 0.3}


class OrderTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.shop = Sandbox.start()
        cls.addClassCleanup(cls.shop.stop)
        cls.shop.seed(products=20)

    def test_a_paid_order_is_delivered_to_the_erp(self):
        order = self.shop.buy(items=[CHEESE])
        delivery = self.shop.wait_for_delivery("Order_Updated", order=order, status=300)
        self.assertEqual(delivery["body"]["data"]["number"], order["number"])
        self.assertEqual(self.shop.received[-1]["headers"]["authorization"], self.shop.webhook_token)

    def test_an_order_that_the_erp_prepares_is_400(self):
        order = self.shop.buy(items=[CHEESE])
        self.shop.call("PATCH", f"/v1/Orders/{order['number']}/status", {"status": "ORDER_BEING_PREPARED"})
        self.shop.wait_for_delivery("Order_Updated", order=order, status=400)
        self.assertEqual(self.shop.call("GET", f"/v1/Orders/{order['number']}/status"), {"status": 400})

    def test_a_delivery_that_is_late_comes_when_the_clock_is_advanced(self):
        delay = {"kind": "webhook-delay", "event": "Order_Updated 300", "ms": 600_000, "times": 1}
        self.shop.call("POST", "/admin/faults", [delay])
        order = self.shop.buy(items=[CHEESE])
        self.shop.advance("10m")
        self.shop.wait_for_delivery("Order_Updated", order=order, status=300)

    def test_a_wait_in_vain_says_what_came_instead(self):
        order = self.shop.buy(items=[CHEESE], payment="refused")
        self.shop.wait_for_delivery("Order_Updated", order=order, status=250)
        came = rf"^Order_Updated 300 of {order['number']} was not .* Instead came: Order_Updated 250 .*answered 200"
        with self.assertRaisesRegex(SandboxError, came):
            self.shop.wait_for_delivery("Order_Updated", order=order, status=300, timeout=0)
