"""A whole small ERP: loads products, hears of orders, prepares, picks, invoices and ships them. The guide is docs/erp-guide.md."""
import http.client
import json
import os
import signal
import sqlite3
import time
import urllib.request
from pathlib import Path

from confluent_kafka import Consumer, KafkaError, KafkaException, Producer

BROKERS = os.environ["KAFKA_BROKERS"]
PREFIX = os.environ.get("TOPIC_PREFIX", "")
UPLOADS = os.environ["UPLOADS_URL"]  # of file-gateway, such as http://127.0.0.1:8082
TOKEN = os.environ["UPLOAD_TOKEN"]
DANFE = Path(os.environ["DANFE_PDF"]).read_bytes()  # the printed invoice; a real ERP has one for each order

PRODUCTS, COMMANDS = "erp.catalog.products.v1", "erp.orders.commands.v1"
CATALOG_RESULTS, ORDER_RESULTS, ORDER_EVENTS = "erp.catalog.results.v1", "erp.orders.results.v1", "erp.orders.events.v1"

# The course of an order: what is commanded once the step before has been applied.
STEPS = ["StartPreparation", "ReportPicking", "RegisterInvoice", "MarkReady", "Ship"]
# From these events on nothing more is done for an order, whatever comes after them.
STOPS = {"CancellationStarted", "OrderCancelled", "OrderReturned"}

# The ERP's own database. What was received and what is to be sent are written in one transaction.
# A real ERP deletes what was seen once it is older than the topics store records. A row is `document` until its file is uploaded.
db = sqlite3.connect(os.environ.get("ERP_DATABASE", "erp.db"), isolation_level=None)
db.executescript("""
    CREATE TABLE IF NOT EXISTS seen (id TEXT PRIMARY KEY);
    CREATE TABLE IF NOT EXISTS orders (number INTEGER PRIMARY KEY, revision INTEGER, stopped INTEGER, view TEXT);
    CREATE TABLE IF NOT EXISTS outgoing (n INTEGER PRIMARY KEY AUTOINCREMENT, topic TEXT, key TEXT, value TEXT, state TEXT);
""")

# murmur2_random is the partitioner of Java: with it every client puts one key into one partition, and so keeps its order.
producer = Producer({
    "bootstrap.servers": BROKERS,
    "enable.idempotence": True, "acks": "all",
    "partitioner": "murmur2_random", "compression.type": "zstd",
})
consumer = Consumer({
    "bootstrap.servers": BROKERS, "group.id": PREFIX + os.environ.get("ERP_GROUP", "erp"),
    "group.instance.id": "erp-1",  # one process: after a restart it goes on at once
    "enable.auto.commit": False,  # an offset is committed after its record was handled, never before
    "auto.offset.reset": "earliest",
})


def send_later(topic, key, value, state="ready"):
    """In the transaction of the caller. The key is the entity's: it keeps the entity's records in order."""
    db.execute("INSERT INTO outgoing (topic, key, value, state) VALUES (?, ?, ?, ?)", (topic, key, json.dumps(value), state))


def send_outgoing():
    """Sends what is waiting, in its order, and forgets it once Kafka has it. After a crash some goes twice: the ids make that harmless."""
    upload_documents()
    failed = []
    rows = db.execute("SELECT n, topic, key, value FROM outgoing WHERE state = 'ready' ORDER BY n").fetchall()
    for _, topic, key, value in rows:
        producer.produce(PREFIX + topic, value.encode("utf-8"), key.encode("utf-8"), on_delivery=lambda error, _: error and failed.append(error))
    if producer.flush(60) > 0 or failed:
        raise KafkaException(failed[0] if failed else KafkaError(KafkaError._TIMED_OUT))
    if rows:
        db.execute("DELETE FROM outgoing WHERE state = 'ready' AND n <= ?", (rows[-1][0],))


def load_products():
    """Sent again at each start: a record with the same recordId and content does nothing."""
    for reference, name, ean in [("PY-1", "Arroz Branco 5 kg", "7891000100103"), ("PY-2", "Feijao Preto 1 kg", "7891000053508")]:
        sku = {"externalReference": reference + "-1", "name": name, "ean": ean, "reference": reference, "unitOfMeasurement": "Un"}
        product = {"recordId": f"load-1/{reference}", "externalReference": reference, "name": name, "title": name, "ean": ean, "skus": [sku]}
        send_later(PRODUCTS, reference, product)


def command(name, order, state="ready", **fields):
    """One id for each step of an order: given twice, it is done once."""
    value = {"commandId": f"{order}/{name}", "command": name, "orderNumber": order, **fields}
    send_later(COMMANDS, str(order), value, state)


def upload_documents():
    """Content never travels in Kafka. No transaction is open during the call; what was stored twice runs out by itself."""
    for n, key, value in db.execute("SELECT n, key, value FROM outgoing WHERE state = 'document' ORDER BY n").fetchall():
        try:
            command = {**json.loads(value), "pdf": {"uploadId": upload_danfe()}}
            db.execute("UPDATE outgoing SET value = ?, state = 'ready' WHERE n = ?", (json.dumps(command), n))
        except (OSError, http.client.HTTPException) as error:
            code = getattr(error, "code", 503)  # an HTTPError has one, a broken connection has none
            if code >= 500 or code == 429:
                return  # tried again at the next round
            db.execute("UPDATE outgoing SET state = 'held' WHERE n = ?", (n,))  # 401, 413, 415: trying again would not help
            print(f"order {key} needs a person: upload {code}", flush=True)


def upload_danfe():
    headers = {"authorization": f"Bearer {TOKEN}", "content-type": "application/pdf"}
    request = urllib.request.Request(UPLOADS + "/uploads", DANFE, headers, method="POST")
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.load(answer)["uploadId"]


def picked(item):
    """As it was ordered; a real ERP takes what was weighed and scanned. A SKU may occur twice: the line says which."""
    weight = item["approximateWeight"]
    quantity = {"value": str(item["orderedQuantity"]), "unit": "Un"} if weight is None else weight
    return {"skuExternalReference": item["skuExternalReference"], "line": item["line"], "outcome": "picked", "quantity": quantity}


def take_step(number, step, total=None):
    view = json.loads(db.execute("SELECT view FROM orders WHERE number = ?", (number,)).fetchone()[0])
    if step == "ReportPicking":
        # Money is decimal text, never a float.
        command(step, number, finalOrderPrice=view["totals"]["total"], items=[picked(item) for item in view["items"]])
    elif step == "RegisterInvoice" and total is None:
        print(f"order {number} needs a person: the total of its invoice is unknown", flush=True)
    elif step == "RegisterInvoice":
        issued = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        command(step, number, state="document", number=str(number), series="1", issuedAt=issued, value=total)
    else:
        command(step, number)


def handle_event(event):
    """Every event carries the whole order. A revision that is not higher is older news; a gap does no harm."""
    number, revision = event["orderNumber"], event["revision"]
    known = db.execute("SELECT revision, stopped FROM orders WHERE number = ?", (number,)).fetchone()
    if known is not None and revision <= known[0]:
        return
    stopped = event["type"] in STOPS or event["hold"] or (known is not None and known[1] == 1)
    db.execute("INSERT OR REPLACE INTO orders VALUES (?, ?, ?, ?)", (number, revision, stopped, json.dumps(event["order"])))
    print(f"order {number}: {event['type']}, revision {revision}", flush=True)
    if event["type"] == "OrderNeedsAttention":
        print(f"order {number} needs a person: {event['attention']['code']}", flush=True)
    if event["type"] == "OrderReopened":  # whoever decides to go on begins a new round, with other commandIds
        print(f"order {number} needs a person: reopened in {event['status']['code']}", flush=True)
    if known is None and event["type"] == "OrderApproved" and not stopped:  # it alone creates an order
        take_step(number, STEPS[0])


def handle_order_result(result):
    name, entity = result["command"], result["entity"]
    number = None if entity is None else entity["orderNumber"]
    outcome = result["correctedOutcome"] if result["outcome"] == "corrected" else result["outcome"]
    reason = "" if result["reason"] is None else f": {result['reason']['code']} {result['reason']['message']}"
    print(f"order {number}: {name} {outcome}{reason}", flush=True)
    for problem in result["errors"] + result["warnings"]:
        print(f"  {problem['field']}: {problem['code']} {problem['message']}", flush=True)
    if not result["final"] or outcome in ("withdrawn", "superseded"):
        return  # not yet, or taken back by this ERP itself
    if outcome not in ("applied", "unchanged"):
        # invalid: mend the data and send it under a new commandId. refused: the shop's no, look at the order.
        # unconfirmed: nobody knows; a `corrected` may follow, and RefreshOrder reads the order. None of them is simply repeated.
        print(f"order {number} needs a person: {name} {outcome}", flush=True)
        return
    row = db.execute("SELECT stopped FROM orders WHERE number = ?", (number,)).fetchone()
    if row is None or row[0] or name not in STEPS[:-1]:
        return
    take_step(number, STEPS[STEPS.index(name) + 1], (result["data"] or {}).get("recalculatedTotal"))


def handle_catalog_result(result):
    print(f"{result['entity']['kind']} {result['entity']['externalReference']}: {result['outcome']}", flush=True)
    for problem in result["errors"] + result["warnings"]:
        print(f"  {problem['field']}: {problem['code']} {problem['message']}", flush=True)


HANDLERS = {ORDER_EVENTS: handle_event, ORDER_RESULTS: handle_order_result, CATALOG_RESULTS: handle_catalog_result}


def take(message):
    """Once for each id, whatever comes twice: what it changes, and that it was seen, are one transaction."""
    record = json.loads(message.value())
    db.execute("BEGIN")
    try:
        if db.execute("INSERT OR IGNORE INTO seen VALUES (?)", (record["id"],)).rowcount == 1:
            HANDLERS[message.topic()[len(PREFIX):]](record)
        db.execute("COMMIT")
    except BaseException:
        db.execute("ROLLBACK")  # the offset is not committed: the record comes again
        raise
    consumer.commit(message, asynchronous=False)


def main():
    ended = []
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: ended.append(True))
    load_products()
    send_outgoing()
    consumer.subscribe([PREFIX + topic for topic in HANDLERS])
    while not ended:
        message = consumer.poll(0.5)
        if message is not None and message.error() is None:
            take(message)
        elif message is not None and (message.error().fatal() or not message.error().retriable()):
            raise KafkaException(message.error())  # a supervisor starts it again; nothing is lost
        send_outgoing()
    consumer.close()


main()
