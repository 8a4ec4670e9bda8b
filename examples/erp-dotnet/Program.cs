// NOT RUN: this example was neither compiled against its libraries nor started, since no .NET was at hand. erp-python is the same ERP, and is run by a test.
// A whole small ERP: loads products, hears of orders, prepares, picks, invoices and ships them. The guide is docs/erp-guide.md.
using System.Net;
using System.Net.Http.Headers;
using System.Runtime.InteropServices;
using System.Text.Json.Nodes;
using Confluent.Kafka;
using Microsoft.Data.Sqlite;

public sealed class Erp : IDisposable {
    static readonly string Brokers = Required("KAFKA_BROKERS"), Prefix = Env("TOPIC_PREFIX", "");
    static readonly string Uploads = Required("UPLOADS_URL"), Token = Required("UPLOAD_TOKEN"); // of file-gateway, such as http://127.0.0.1:8082
    static readonly byte[] Danfe = File.ReadAllBytes(Required("DANFE_PDF")); // the printed invoice; a real ERP has one for each order
    const string Products = "erp.catalog.products.v1", Commands = "erp.orders.commands.v1";
    const string CatalogResults = "erp.catalog.results.v1", OrderResults = "erp.orders.results.v1", OrderEvents = "erp.orders.events.v1";
    // The course of an order: what is commanded once the step before has been applied.
    static readonly string[] Steps = { "StartPreparation", "ReportPicking", "RegisterInvoice", "MarkReady", "Ship" };
    // From these events on nothing more is done for an order, whatever comes after them.
    static readonly string[] Stops = { "CancellationStarted", "OrderCancelled", "OrderReturned" };

    // The ERP's own database. What was received and what is to be sent are written in one transaction.
    // A real ERP deletes what was seen once it is older than the topics store records. A row is `document` until its file is uploaded.
    readonly SqliteConnection db = new SqliteConnection(new SqliteConnectionStringBuilder { DataSource = Env("ERP_DATABASE", "erp.db") }.ToString());
    // Murmur2Random is the partitioner of Java: with it every client puts one key into one partition, and so keeps its order.
    readonly IProducer<string, string> producer = new ProducerBuilder<string, string>(new ProducerConfig {
        BootstrapServers = Brokers, EnableIdempotence = true, Acks = Acks.All,
        Partitioner = Partitioner.Murmur2Random, CompressionType = CompressionType.Zstd }).Build();
    readonly IConsumer<string, string> consumer = new ConsumerBuilder<string, string>(new ConsumerConfig {
        BootstrapServers = Brokers, GroupId = Prefix + Env("ERP_GROUP", "erp"),
        GroupInstanceId = "erp-1", // one process: after a restart it goes on at once
        EnableAutoCommit = false, EnableAutoOffsetStore = false, // an offset is committed after its record was handled, never before
        AutoOffsetReset = AutoOffsetReset.Earliest }).Build();
    readonly HttpClient http = new HttpClient { Timeout = TimeSpan.FromSeconds(10) };
    volatile bool ended;

    public static void Main() {
        using var erp = new Erp();
        Action<PosixSignalContext> end = context => { context.Cancel = true; erp.ended = true; };
        using var interrupt = PosixSignalRegistration.Create(PosixSignal.SIGINT, end);
        using var terminate = PosixSignalRegistration.Create(PosixSignal.SIGTERM, end);
        erp.Run();
    }

    // An exception ends the process: a supervisor starts it again, and nothing is lost.
    void Run() {
        db.Open();
        Execute("CREATE TABLE IF NOT EXISTS seen (id TEXT PRIMARY KEY)");
        Execute("CREATE TABLE IF NOT EXISTS orders (number INTEGER PRIMARY KEY, revision INTEGER, stopped INTEGER, view TEXT)");
        Execute("CREATE TABLE IF NOT EXISTS outgoing (n INTEGER PRIMARY KEY AUTOINCREMENT, topic TEXT, key TEXT, value TEXT, state TEXT)");
        LoadProducts();
        SendOutgoing();
        consumer.Subscribe(new[] { Prefix + OrderEvents, Prefix + OrderResults, Prefix + CatalogResults });
        for (; !ended; SendOutgoing())
            if (consumer.Consume(TimeSpan.FromMilliseconds(500)) is { } message) Take(message); // an error is a ConsumeException
        consumer.Close();
    }

    // Once for each id, whatever comes twice: what it changes, and that it was seen, are one transaction.
    void Take(ConsumeResult<string, string> message) {
        var record = JsonNode.Parse(message.Message.Value)!;
        using (var transaction = db.BeginTransaction()) { // rolled back unless it is committed: then the record comes again
            if (Execute("INSERT OR IGNORE INTO seen VALUES ($1)", Text(record["id"])) == 1) {
                if (message.Topic == Prefix + OrderEvents) HandleEvent(record);
                else if (message.Topic == Prefix + OrderResults) HandleOrderResult(record);
                else HandleCatalogResult(record);
            }
            transaction.Commit();
        }
        consumer.Commit(message);
    }

    // Sent again at each start: a record with the same recordId and content does nothing.
    void LoadProducts() {
        foreach (var (reference, name, ean) in new[] { ("NET-1", "Arroz Branco 5 kg", "7891000100103"), ("NET-2", "Feijao Preto 1 kg", "7891000053508") }) {
            var sku = new JsonObject { ["externalReference"] = reference + "-1", ["name"] = name, ["ean"] = ean, ["reference"] = reference, ["unitOfMeasurement"] = "Un" };
            var product = new JsonObject { ["recordId"] = "load-1/" + reference, ["externalReference"] = reference, ["name"] = name, ["title"] = name, ["ean"] = ean };
            product["skus"] = new JsonArray(sku);
            SendLater(Products, reference, product);
        }
    }

    // Every event carries the whole order. A revision that is not higher is older news; a gap does no harm.
    void HandleEvent(JsonNode record) {
        long number = (long)record["orderNumber"]!, revision = (long)record["revision"]!;
        var type = Text(record["type"]);
        var known = Rows("SELECT revision, stopped FROM orders WHERE number = $1", number).FirstOrDefault();
        if (known != null && revision <= (long)known[0]) return;
        var stopped = Stops.Contains(type) || (bool)record["hold"]! || (known != null && (long)known[1] == 1);
        Execute("INSERT OR REPLACE INTO orders VALUES ($1, $2, $3, $4)", number, revision, stopped ? 1L : 0L, record["order"]!.ToJsonString());
        Console.WriteLine($"order {number}: {type}, revision {revision}");
        if (type == "OrderNeedsAttention") Console.WriteLine($"order {number} needs a person: {Text(record["attention"]!["code"])}");
        // Whoever decides to go on begins a new round, with other commandIds.
        if (type == "OrderReopened") Console.WriteLine($"order {number} needs a person: reopened in {record["status"]!["code"]}");
        if (known == null && type == "OrderApproved" && !stopped) TakeStep(number, Steps[0], null); // it alone creates an order
    }

    void HandleOrderResult(JsonNode result) {
        var name = Text(result["command"]);
        var number = result["entity"] is JsonNode entity ? (long)entity["orderNumber"]! : 0;
        var outcome = Text(result[Text(result["outcome"]) == "corrected" ? "correctedOutcome" : "outcome"]);
        var reason = result["reason"] is JsonNode given ? $": {Text(given["code"])} {Text(given["message"])}" : "";
        Console.WriteLine($"order {number}: {name} {outcome}{reason}");
        PrintProblems(result);
        if (!(bool)result["final"]! || outcome == "withdrawn" || outcome == "superseded") return; // not yet, or taken back by this ERP itself
        if (outcome != "applied" && outcome != "unchanged") {
            // invalid: mend the data and send it under a new commandId. refused: the shop's no, look at the order.
            // unconfirmed: nobody knows; a `corrected` may follow, and RefreshOrder reads the order. None of them is simply repeated.
            Console.WriteLine($"order {number} needs a person: {name} {outcome}");
            return;
        }
        var order = Rows("SELECT stopped FROM orders WHERE number = $1", number).FirstOrDefault();
        var next = Array.IndexOf(Steps, name) + 1;
        if (order == null || (long)order[0] == 1 || next == 0 || next == Steps.Length) return;
        var total = name == "ReportPicking" ? (string?)result["data"]?["recalculatedTotal"] : null;
        if (name == "ReportPicking" && total == null) Console.WriteLine($"order {number} needs a person: the total of its invoice is unknown");
        else TakeStep(number, Steps[next], total);
    }

    static void HandleCatalogResult(JsonNode result) {
        Console.WriteLine($"{Text(result["entity"]!["kind"])} {Text(result["entity"]!["externalReference"])}: {Text(result["outcome"])}");
        PrintProblems(result);
    }
    static void PrintProblems(JsonNode result) {
        foreach (var each in result["errors"]!.AsArray().Concat(result["warnings"]!.AsArray())) Console.WriteLine($"  {Text(each!["field"])}: {Text(each["code"])} {Text(each["message"])}");
    }

    // One commandId for each step of an order: given twice, it is done once. Money is decimal text, never a double.
    void TakeStep(long number, string step, string? total) {
        var command = new JsonObject { ["commandId"] = $"{number}/{step}", ["command"] = step, ["orderNumber"] = number };
        if (step == "ReportPicking") {
            var view = JsonNode.Parse((string)Rows("SELECT view FROM orders WHERE number = $1", number).First()[0])!;
            command["finalOrderPrice"] = Text(view["totals"]!["total"]);
            command["items"] = new JsonArray(view["items"]!.AsArray().Select(item => Picked(item!)).ToArray());
        } else if (step == "RegisterInvoice") {
            command["number"] = $"{number}";
            command["series"] = "1";
            command["value"] = total;
            command["issuedAt"] = DateTime.UtcNow.ToString("yyyy-MM-dd'T'HH:mm:ss'Z'", System.Globalization.CultureInfo.InvariantCulture);
        }
        SendLater(Commands, $"{number}", command, step == "RegisterInvoice" ? "document" : "ready");
    }

    // As it was ordered; a real ERP takes what was weighed and scanned. A SKU may occur twice: the line says which.
    static JsonNode Picked(JsonNode item) {
        var quantity = item["approximateWeight"]?.DeepClone() ?? new JsonObject { ["value"] = item["orderedQuantity"]!.ToString(), ["unit"] = "Un" };
        return new JsonObject { ["skuExternalReference"] = item["skuExternalReference"]?.DeepClone(), ["line"] = item["line"]!.DeepClone(), ["outcome"] = "picked", ["quantity"] = quantity };
    }

    // In the transaction of the caller. The key is the entity's: it keeps the entity's records in order.
    void SendLater(string topic, string key, JsonObject value, string state = "ready") => Execute("INSERT INTO outgoing (topic, key, value, state) VALUES ($1, $2, $3, $4)", topic, key, value.ToJsonString(), state);

    // Sends what is waiting, in its order, and forgets it once Kafka has it. After a crash some goes twice: the ids make that harmless.
    void SendOutgoing() {
        UploadDocuments();
        var failed = new List<Error>();
        var rows = Rows("SELECT n, topic, key, value FROM outgoing WHERE state = 'ready' ORDER BY n");
        foreach (var row in rows)
            producer.Produce(Prefix + row[1], new Message<string, string> { Key = (string)row[2], Value = (string)row[3] },
                report => { if (report.Error.IsError) lock (failed) failed.Add(report.Error); });
        if (producer.Flush(TimeSpan.FromSeconds(60)) > 0 || failed.Count > 0) throw new KafkaException(failed.FirstOrDefault() ?? new Error(ErrorCode.Local_TimedOut));
        if (rows.Count > 0) Execute("DELETE FROM outgoing WHERE state = 'ready' AND n <= $1", rows[^1][0]);
    }

    // Content never travels in Kafka. No transaction is open during the call; what was stored twice runs out by itself.
    void UploadDocuments() {
        foreach (var row in Rows("SELECT n, key, value FROM outgoing WHERE state = 'document' ORDER BY n")) {
            try {
                using var request = new HttpRequestMessage(HttpMethod.Post, Uploads + "/uploads") { Content = new ByteArrayContent(Danfe) };
                request.Headers.Authorization = new AuthenticationHeaderValue("Bearer", Token);
                request.Content.Headers.ContentType = new MediaTypeHeaderValue("application/pdf");
                using var answer = http.Send(request);
                if ((int)answer.StatusCode >= 500 || answer.StatusCode == HttpStatusCode.TooManyRequests) return; // tried again at the next round
                var command = JsonNode.Parse((string)row[2])!;
                var stored = answer.StatusCode == HttpStatusCode.Created;
                using var body = new StreamReader(answer.Content.ReadAsStream());
                if (stored) command["pdf"] = new JsonObject { ["uploadId"] = Text(JsonNode.Parse(body.ReadToEnd())!["uploadId"]) };
                else Console.WriteLine($"order {row[1]} needs a person: upload {(int)answer.StatusCode}"); // 401, 413, 415: trying again would not help
                Execute("UPDATE outgoing SET value = $1, state = $2 WHERE n = $3", command.ToJsonString(), stored ? "ready" : "held", row[0]);
            } catch (Exception error) when (error is HttpRequestException or IOException or TaskCanceledException) { return; } // unreachable, or too slow: the same
        }
    }

    int Execute(string sql, params object[] values) { using var command = Prepared(sql, values); return command.ExecuteNonQuery(); }
    List<object[]> Rows(string sql, params object[] values) {
        using var command = Prepared(sql, values);
        using var reader = command.ExecuteReader();
        var rows = new List<object[]>();
        for (; reader.Read(); reader.GetValues(rows[^1])) rows.Add(new object[reader.FieldCount]);
        return rows;
    }
    SqliteCommand Prepared(string sql, object[] values) {
        var command = db.CreateCommand(); // takes part in the transaction that is open
        command.CommandText = sql;
        for (var index = 0; index < values.Length; index++) command.Parameters.AddWithValue($"${index + 1}", values[index]);
        return command;
    }

    public void Dispose() { consumer.Dispose(); producer.Dispose(); db.Dispose(); http.Dispose(); }
    static string Text(JsonNode? node) => (string?)node ?? "";
    static string Required(string name) => Environment.GetEnvironmentVariable(name) ?? throw new InvalidOperationException(name + " is not set");
    static string Env(string name, string otherwise) => Environment.GetEnvironmentVariable(name) ?? otherwise;
}
