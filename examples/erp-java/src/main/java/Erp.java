import com.fasterxml.jackson.databind.*;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.*;
import java.nio.file.*;
import java.sql.*;
import java.time.*;
import java.time.temporal.ChronoUnit;
import java.util.*;
import org.apache.kafka.clients.consumer.*;
import org.apache.kafka.clients.producer.*;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.*;

/** A whole small ERP: loads products, hears of orders, prepares, picks, invoices and ships them. The guide is docs/erp-guide.md. */
public class Erp {
  static final String BROKERS = System.getenv("KAFKA_BROKERS");
  static final String PREFIX = env("TOPIC_PREFIX", "");
  static final String PRODUCTS = "erp.catalog.products.v1", COMMANDS = "erp.orders.commands.v1";
  static final String CATALOG_RESULTS = "erp.catalog.results.v1", ORDER_RESULTS = "erp.orders.results.v1", ORDER_EVENTS = "erp.orders.events.v1";
  /** The course of an order: what is commanded once the step before has been applied. */
  static final List<String> STEPS = List.of("StartPreparation", "ReportPicking", "RegisterInvoice", "MarkReady", "Ship");
  /** From these events on nothing more is done for an order, whatever comes after them. */
  static final Set<String> STOPS = Set.of("CancellationStarted", "OrderCancelled", "OrderReturned");
  final byte[] danfe = Files.readAllBytes(Path.of(System.getenv("DANFE_PDF"))); // the printed invoice; a real ERP has one for each order
  static final ObjectMapper JSON = new ObjectMapper();
  /** The ERP's own database. What was received and what is to be sent are written in one transaction. A real ERP deletes what was seen once it is older than the topics store records. */
  final Connection db = DriverManager.getConnection("jdbc:h2:" + Path.of(env("ERP_DATABASE", "erp-db")).toAbsolutePath()
      + ";WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE"); // on disk at the commit, not half a second later; closed by run, not by the end of the JVM
  /** Java's partitioner is the one that every other client has to be set to; a key keeps its entity's records in order. */
  final KafkaProducer<String, String> producer = new KafkaProducer<>(Map.of(
      "bootstrap.servers", BROKERS, "enable.idempotence", "true", "acks", "all", "compression.type", "lz4"),
      new StringSerializer(), new StringSerializer());
  final KafkaConsumer<String, String> consumer = new KafkaConsumer<>(Map.of(
      "bootstrap.servers", BROKERS, "group.id", PREFIX + env("ERP_GROUP", "erp"),
      "group.instance.id", "erp-1", // one process: after a restart it goes on at once
      "enable.auto.commit", "false", // an offset is committed after its record was handled, never before
      "auto.offset.reset", "earliest"), new StringDeserializer(), new StringDeserializer());
  final HttpClient http = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();
  volatile boolean ended = false;

  public static void main(String[] args) throws Exception {
    Erp erp = new Erp();
    Thread main = Thread.currentThread();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> { erp.ended = true; try { main.join(10_000); } catch (InterruptedException ignored) { } }));
    erp.run();
    Runtime.getRuntime().halt(0);
  }

  Erp() throws SQLException, IOException {
    execute("CREATE TABLE IF NOT EXISTS seen (id VARCHAR PRIMARY KEY)");
    execute("CREATE TABLE IF NOT EXISTS orders (number BIGINT PRIMARY KEY, revision INT, stopped BOOLEAN, content VARCHAR)");
    execute("CREATE TABLE IF NOT EXISTS outgoing (n BIGINT AUTO_INCREMENT PRIMARY KEY, topic VARCHAR, k VARCHAR, v VARCHAR, state VARCHAR)");
    db.setAutoCommit(false);
  }

  void run() throws Exception {
    loadProducts();
    sendOutgoing();
    consumer.subscribe(List.of(PREFIX + ORDER_EVENTS, PREFIX + ORDER_RESULTS, PREFIX + CATALOG_RESULTS));
    for (; !ended; sendOutgoing()) for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(500))) take(record);
    consumer.close();
    db.close();
  }

  /** Once for each id, whatever comes twice: what it changes, and that it was seen, are one transaction. An error ends the process: the record comes again. */
  void take(ConsumerRecord<String, String> record) throws Exception {
    JsonNode value = JSON.readTree(record.value());
    if (query("SELECT 1 FROM seen WHERE id = ?", value.get("id").asText()) == null) {
      execute("INSERT INTO seen VALUES (?)", value.get("id").asText());
      if (record.topic().equals(PREFIX + ORDER_EVENTS)) handleEvent(value);
      else if (record.topic().equals(PREFIX + ORDER_RESULTS)) handleOrderResult(value);
      else handleCatalogResult(value);
    }
    db.commit();
    consumer.commitSync(Map.of(new TopicPartition(record.topic(), record.partition()), new OffsetAndMetadata(record.offset() + 1)));
  }

  /** Sent again at each start: a record with the same recordId and content does nothing. */
  void loadProducts() throws SQLException {
    for (String[] each : new String[][] {{"JV-1", "Arroz Branco 5 kg", "7891000100103"}, {"JV-2", "Feijao Preto 1 kg", "7891000053508"}}) {
      ObjectNode product = JSON.createObjectNode().put("recordId", "load-1/" + each[0]).put("externalReference", each[0]).put("name", each[1]).put("title", each[1]).put("ean", each[2]);
      product.putArray("skus").addObject().put("externalReference", each[0] + "-1").put("name", each[1]).put("ean", each[2])
          .put("reference", each[0]).put("unitOfMeasurement", "Un");
      sendLater(PRODUCTS, each[0], product, "ready");
    }
  }

  /** Every event carries the whole order. A revision that is not higher is older news; a gap does no harm. */
  void handleEvent(JsonNode event) throws Exception {
    long number = event.get("orderNumber").asLong(), revision = event.get("revision").asLong();
    String type = event.get("type").asText();
    Object known = query("SELECT revision FROM orders WHERE number = ?", number);
    if (known != null && revision <= (int) known) return;
    boolean stopped = STOPS.contains(type) || event.get("hold").asBoolean() || Boolean.TRUE.equals(query("SELECT stopped FROM orders WHERE number = ?", number));
    execute("MERGE INTO orders KEY (number) VALUES (?, ?, ?, ?)", number, revision, stopped, event.get("order").toString());
    System.out.printf("order %d: %s, revision %d%n", number, type, revision);
    if (type.equals("OrderNeedsAttention")) System.out.printf("order %d needs a person: %s%n", number, event.at("/attention/code").asText());
    // Whoever decides to go on begins a new round, with other commandIds.
    if (type.equals("OrderReopened")) System.out.printf("order %d needs a person: reopened in %d%n", number, event.at("/status/code").asInt());
    if (known == null && type.equals("OrderApproved") && !stopped) takeStep(number, STEPS.get(0), null); // it alone creates an order
  }

  void handleOrderResult(JsonNode result) throws Exception {
    String name = result.get("command").asText();
    long number = result.at("/entity/orderNumber").asLong();
    String outcome = result.get(result.get("outcome").asText().equals("corrected") ? "correctedOutcome" : "outcome").asText();
    System.out.printf("order %d: %s %s %s%n", number, name, outcome, result.at("/reason/message").asText());
    printProblems(result);
    if (!result.get("final").asBoolean() || outcome.equals("withdrawn") || outcome.equals("superseded")) return; // not yet, or taken back by this ERP itself
    if (!outcome.equals("applied") && !outcome.equals("unchanged")) {
      // invalid: mend the data and send it under a new commandId. refused: the shop's no, look at the order.
      // unconfirmed: nobody knows; a `corrected` may follow, and RefreshOrder reads the order. None of them is simply repeated.
      System.out.printf("order %d needs a person: %s %s%n", number, name, outcome);
      return;
    }
    Object stopped = query("SELECT stopped FROM orders WHERE number = ?", number);
    int next = STEPS.indexOf(name) + 1;
    if (stopped == null || (boolean) stopped || next == 0 || next == STEPS.size()) return;
    String total = result.at("/data/recalculatedTotal").textValue();
    if (name.equals("ReportPicking") && total == null) System.out.printf("order %d needs a person: the total of its invoice is unknown%n", number);
    else takeStep(number, STEPS.get(next), total);
  }
  void handleCatalogResult(JsonNode result) {
    System.out.printf("%s %s: %s%n", result.at("/entity/kind").asText(), result.at("/entity/externalReference").asText(), result.get("outcome").asText());
    printProblems(result);
  }
  void printProblems(JsonNode result) {
    for (String list : List.of("errors", "warnings"))
      for (JsonNode each : result.get(list)) System.out.printf("  %s: %s %s%n", each.get("field").asText(), each.get("code").asText(), each.get("message").asText());
  }

  /** One commandId for each step of an order: given twice, it is done once. */
  void takeStep(long number, String step, String total) throws Exception {
    JsonNode order = JSON.readTree((String) query("SELECT content FROM orders WHERE number = ?", number));
    ObjectNode command = JSON.createObjectNode().put("commandId", number + "/" + step).put("command", step).put("orderNumber", number);
    if (step.equals("ReportPicking")) {
      command.put("finalOrderPrice", order.at("/totals/total").asText()); // money is decimal text, never a double
      for (JsonNode item : order.get("items")) {
        // As it was ordered; a real ERP takes what was weighed and scanned. A SKU may occur twice: the line says which.
        ObjectNode picked = command.withArray("items").addObject().put("outcome", "picked").put("line", item.get("line").asInt());
        picked.set("skuExternalReference", item.get("skuExternalReference"));
        if (item.get("approximateWeight").isNull()) picked.putObject("quantity").put("value", item.get("orderedQuantity").asText()).put("unit", "Un");
        else picked.set("quantity", item.get("approximateWeight"));
      }
    } else if (step.equals("RegisterInvoice")) {
      command.put("number", "" + number).put("series", "1").put("value", total).put("issuedAt", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    }
    sendLater(COMMANDS, "" + number, command, step.equals("RegisterInvoice") ? "document" : "ready");
  }

  /** Content never travels in Kafka. No transaction is open during the call; what was stored twice runs out by itself. */
  void uploadDocuments() throws Exception {
    HttpRequest upload = HttpRequest.newBuilder(URI.create(System.getenv("UPLOADS_URL") + "/uploads")).timeout(Duration.ofSeconds(10))
        .header("authorization", "Bearer " + System.getenv("UPLOAD_TOKEN")).header("content-type", "application/pdf")
        .POST(HttpRequest.BodyPublishers.ofByteArray(danfe)).build();
    for (Object n; (n = query("SELECT MIN(n) FROM outgoing WHERE state = 'document'")) != null; db.commit()) {
      ObjectNode command = (ObjectNode) JSON.readTree((String) query("SELECT v FROM outgoing WHERE n = ?", n));
      db.commit();
      HttpResponse<String> answer;
      try { answer = http.send(upload, HttpResponse.BodyHandlers.ofString()); } catch (IOException unreachable) { return; } // tried again at the next round
      boolean stored = answer.statusCode() == 201;
      if (answer.statusCode() >= 500 || answer.statusCode() == 429) return;
      if (stored) command.putObject("pdf").put("uploadId", JSON.readTree(answer.body()).get("uploadId").asText());
      else System.out.printf("order %d needs a person: upload %d%n", command.get("orderNumber").asLong(), answer.statusCode()); // trying again would not help
      execute("UPDATE outgoing SET v = ?, state = ? WHERE n = ?", command.toString(), stored ? "ready" : "held", n);
    }
  }

  void sendLater(String topic, String key, JsonNode value, String state) throws SQLException {
    execute("INSERT INTO outgoing (topic, k, v, state) VALUES (?, ?, ?, ?)", topic, key, value.toString(), state);
  }

  /** Sends what is waiting, in its order, and forgets it once Kafka has it. After a crash some goes twice: the ids make that harmless. */
  void sendOutgoing() throws Exception {
    db.commit();
    uploadDocuments();
    var sent = new ArrayList<java.util.concurrent.Future<RecordMetadata>>();
    long last = 0;
    try (Statement read = db.createStatement(); ResultSet rows = read.executeQuery("SELECT n, topic, k, v FROM outgoing WHERE state = 'ready' ORDER BY n")) {
      for (; rows.next(); last = rows.getLong(1)) sent.add(producer.send(new ProducerRecord<>(PREFIX + rows.getString(2), rows.getString(3), rows.getString(4))));
    }
    for (var each : sent) each.get();
    if (last > 0) execute("DELETE FROM outgoing WHERE state = 'ready' AND n <= ?", last);
    db.commit();
  }
  void execute(String sql, Object... values) throws SQLException {
    try (PreparedStatement statement = prepared(sql, values)) { statement.execute(); }
  }

  /** The first column of the first row; null for none. */
  Object query(String sql, Object... values) throws SQLException {
    try (PreparedStatement statement = prepared(sql, values); ResultSet rows = statement.executeQuery()) { return rows.next() ? rows.getObject(1) : null; }
  }
  PreparedStatement prepared(String sql, Object... values) throws SQLException {
    PreparedStatement statement = db.prepareStatement(sql);
    for (int index = 0; index < values.length; index++) statement.setObject(index + 1, values[index]);
    return statement;
  }
  static String env(String name, String otherwise) { return System.getenv().getOrDefault(name, otherwise); }
}
