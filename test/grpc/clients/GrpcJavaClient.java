import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Type;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.File;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Calls the hosts it is given with grpc-java and prints what came of it as JSON. Arguments: see outside-client.ts. */
public final class GrpcJavaClient {
  private static final String SERVICE = "com.devProblems.BookAuthorService";
  private static final long LIMIT = 20;
  private static final Map<String, Descriptor> MESSAGES = new LinkedHashMap<>();

  private final ManagedChannel channel;
  private final CallOptions options;

  private GrpcJavaClient(ManagedChannel channel, CallOptions options) {
    this.channel = channel;
    this.options = options;
  }

  /** Written from the text of the proto file, so that nothing here comes from the host. */
  private static void declare(String pack, String name, Object... namesAndTypes) throws Exception {
    DescriptorProto.Builder message = DescriptorProto.newBuilder().setName(name);
    for (int i = 0; i < namesAndTypes.length; i += 2) {
      message.addField(FieldDescriptorProto.newBuilder().setName((String) namesAndTypes[i])
          .setType((Type) namesAndTypes[i + 1]).setNumber(i / 2 + 1).setLabel(FieldDescriptorProto.Label.LABEL_OPTIONAL));
    }
    FileDescriptorProto file = FileDescriptorProto.newBuilder().setName(name + ".proto").setPackage(pack)
        .setSyntax("proto3").addMessageType(message).build();
    MESSAGES.put(name, FileDescriptor.buildFrom(file, new FileDescriptor[0]).findMessageTypeByName(name));
  }

  private static DynamicMessage message(String name, Object... namesAndValues) {
    Descriptor descriptor = MESSAGES.get(name);
    DynamicMessage.Builder builder = DynamicMessage.newBuilder(descriptor);
    for (int i = 0; i < namesAndValues.length; i += 2) {
      builder.setField(descriptor.findFieldByName((String) namesAndValues[i]), namesAndValues[i + 1]);
    }
    return builder.build();
  }

  private static DynamicMessage book(int id, String title, double price) {
    return message("Book", "book_id", id, "title", title, "price", (float) price);
  }

  private static DynamicMessage ofAuthor(String message, int id) {
    return message(message, "author_id", id);
  }

  private static MethodDescriptor<DynamicMessage, DynamicMessage> method(
      MethodType type, String path, String request, String answer) {
    return MethodDescriptor.<DynamicMessage, DynamicMessage>newBuilder().setType(type).setFullMethodName(path)
        .setRequestMarshaller(ProtoUtils.marshaller(DynamicMessage.getDefaultInstance(MESSAGES.get(request))))
        .setResponseMarshaller(ProtoUtils.marshaller(DynamicMessage.getDefaultInstance(MESSAGES.get(answer))))
        .build();
  }

  private static MethodDescriptor<DynamicMessage, DynamicMessage> getAuthor(MethodType type) {
    return method(type, SERVICE + "/getAuthor", "Author", "Author");
  }

  private static final class Heard implements ClientResponseObserver<DynamicMessage, DynamicMessage> {
    final List<DynamicMessage> messages = Collections.synchronizedList(new ArrayList<>());
    final CountDownLatch over = new CountDownLatch(1);
    ClientCallStreamObserver<DynamicMessage> call;
    Status status = Status.OK;

    @Override public void beforeStart(ClientCallStreamObserver<DynamicMessage> started) { call = started; }
    @Override public void onNext(DynamicMessage message) { messages.add(message); }
    @Override public void onCompleted() { over.countDown(); }

    @Override public void onError(Throwable error) {
      status = Status.fromThrowable(error);
      over.countDown();
    }

    /** @param stream whether the answer is told as a list */
    Map<String, Object> told(boolean stream) throws InterruptedException {
      if (!over.await(2 * LIMIT, TimeUnit.SECONDS)) status = Status.UNKNOWN.withDescription("the call never ended");
      Map<String, Object> told = failure(status);
      if (stream) told.put("messages", messages);
      else if (status.isOk()) told.put("message", messages.size() == 1 ? messages.get(0) : null);
      return told;
    }
  }

  private static Map<String, Object> failure(Status status) {
    Map<String, Object> told = new LinkedHashMap<>();
    told.put("code", status.getCode().name());
    if (!status.isOk()) told.put("details", status.getDescription() == null ? "" : status.getDescription());
    return told;
  }

  private Map<String, Object> one(MethodDescriptor<DynamicMessage, DynamicMessage> method, DynamicMessage request)
      throws InterruptedException {
    Heard heard = new Heard();
    boolean stream = method.getType() == MethodType.SERVER_STREAMING;
    CallOptions limited = options.withDeadlineAfter(LIMIT, TimeUnit.SECONDS);
    if (stream) ClientCalls.asyncServerStreamingCall(channel.newCall(method, limited), request, heard);
    else ClientCalls.asyncUnaryCall(channel.newCall(method, limited), request, heard);
    return heard.told(stream);
  }

  private Map<String, Object> many(CallOptions with, boolean stream, List<DynamicMessage> requests)
      throws InterruptedException {
    Heard heard = new Heard();
    StreamObserver<DynamicMessage> sent = start(with.withDeadlineAfter(LIMIT, TimeUnit.SECONDS), stream, heard);
    for (DynamicMessage request : requests) sent.onNext(request);
    sent.onCompleted();
    return heard.told(stream);
  }

  private StreamObserver<DynamicMessage> start(CallOptions with, boolean stream, Heard heard) {
    if (stream) {
      return ClientCalls.asyncBidiStreamingCall(channel.newCall(
          method(MethodType.BIDI_STREAMING, SERVICE + "/getBooksByGender", "Book", "Book"), with), heard);
    }
    return ClientCalls.asyncClientStreamingCall(channel.newCall(
        method(MethodType.CLIENT_STREAMING, SERVICE + "/getExpensiveBook", "Book", "Book"), with), heard);
  }

  private Map<String, Object> expensive(DynamicMessage... books) throws InterruptedException {
    return many(options, false, List.of(books));
  }

  private Map<String, Object> byGender(int... authorIds) throws InterruptedException {
    List<DynamicMessage> books = new ArrayList<>();
    for (int id : authorIds) books.add(ofAuthor("Book", id));
    return many(options, true, books);
  }

  /** A call that is still sending: cancelled, or left to its deadline. */
  private Map<String, Object> brokenOff(boolean cancel) throws InterruptedException {
    Heard heard = new Heard();
    StreamObserver<DynamicMessage> sent =
        start(options.withDeadlineAfter(cancel ? LIMIT * 1000 : 300, TimeUnit.MILLISECONDS), true, heard);
    sent.onNext(ofAuthor("Book", 3));
    if (cancel) heard.call.cancel("the client has changed its mind", null);
    return heard.told(true);
  }

  private Map<String, Object> author(int id) throws InterruptedException {
    return one(getAuthor(MethodType.UNARY), ofAuthor("Author", id));
  }

  private Map<String, Object> books(int authorId) throws InterruptedException {
    return one(method(MethodType.SERVER_STREAMING, SERVICE + "/getBooksByAuthor", "Author", "Book"),
        ofAuthor("Author", authorId));
  }

  private Map<String, Object> health(String service) throws InterruptedException {
    return one(method(MethodType.UNARY, "grpc.health.v1.Health/Check", "HealthCheckRequest", "HealthCheckResponse"),
        message("HealthCheckRequest", "service", service));
  }

  private Map<String, Object> blockingAuthor(int id) {
    try {
      Map<String, Object> told = failure(Status.OK);
      told.put("message", ClientCalls.blockingUnaryCall(channel, getAuthor(MethodType.UNARY),
          options.withDeadlineAfter(LIMIT, TimeUnit.SECONDS), ofAuthor("Author", id)));
      return told;
    } catch (StatusRuntimeException error) {
      return failure(error.getStatus());
    }
  }

  private void calls(Map<String, Object> told) throws InterruptedException {
    told.put("found", author(1));
    told.put("foundBlocking", blockingAuthor(1));
    told.put("lastOfMany", author(4));
    told.put("notFoundBlocking", blockingAuthor(99));
    Heard heard = new Heard();
    ClientCalls.asyncUnaryCall(channel.newCall(getAuthor(MethodType.UNARY), options), ofAuthor("Author", 99), heard);
    told.put("notFoundAsync", heard.told(true));
    told.put("notFoundAsStream", one(getAuthor(MethodType.SERVER_STREAMING), ofAuthor("Author", 99)));
    told.put("books", books(3));
    told.put("noBooks", books(99));
    List<DynamicMessage> tie = new ArrayList<>();
    for (double price : new double[] {1.5, 9.25, 9.25, 2}) {
      tie.add(book(tie.size(), tie.size() + " Mis\u00e9rables \u672c \ud83d\udcda", price));
    }
    told.put("expensiveTie", many(options, false, tie));
    told.put("expensiveNone", expensive());
    told.put("expensiveFree", expensive(book(1, "", 0), book(2, "", -3)));
    List<DynamicMessage> books = new ArrayList<>();
    for (int i = 0; i < 5000; i++) books.add(book(i, "", i % 1000));
    told.put("expensiveMany", many(options, false, books));
    told.put("gzip", many(options.withCompression("gzip"), false, tie));
    told.put("repeats", byGender(3, 1, 99, 3));
    told.put("emptyStream", byGender());
    told.put("tooLarge", expensive(book(1, "x".repeat(5 << 20), 1)));
    told.put("missingMethod",
        one(method(MethodType.UNARY, SERVICE + "/getPublisher", "Author", "Author"), ofAuthor("Author", 1)));
    told.put("cancel", brokenOff(true));
    told.put("deadline", brokenOff(false));
    told.put("afterwards", author(1));
    told.put("health", health(""));
    told.put("healthOfService", health(SERVICE));
    told.put("healthOfUnknown", health("com.devProblems.Unknown"));
  }

  /** @param token null without one @param files an authority, then a certificate and its key; none without TLS */
  private static Map<String, Object> oneCall(String address, String token, String... files) throws Exception {
    Map<String, Object> told = new LinkedHashMap<>();
    with(address, token, client -> told.putAll(client.author(1)), files);
    return told;
  }

  private interface Use {
    void run(GrpcJavaClient client) throws Exception;
  }

  private static void with(String address, String token, Use use, String... files) throws Exception {
    NettyChannelBuilder builder = NettyChannelBuilder.forTarget(address);
    if (files.length == 0) builder.usePlaintext();
    else {
      SslContextBuilder tls = GrpcSslContexts.forClient().trustManager(new File(files[0]));
      if (files.length == 3) tls.keyManager(new File(files[1]), new File(files[2]));
      builder.sslContext(tls.build());
    }
    if (token != null) {
      Metadata headers = new Metadata();
      headers.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + token);
      builder.intercept(MetadataUtils.newAttachHeadersInterceptor(headers));
    }
    ManagedChannel channel = builder.build();
    try {
      use.run(new GrpcJavaClient(channel, CallOptions.DEFAULT));
    } finally {
      channel.shutdownNow().awaitTermination(LIMIT, TimeUnit.SECONDS);
    }
  }

  private static void json(Object value, StringBuilder out) {
    if (value instanceof DynamicMessage) {
      Map<String, Object> fields = new LinkedHashMap<>();
      DynamicMessage message = (DynamicMessage) value;
      for (FieldDescriptor field : message.getDescriptorForType().getFields()) {
        fields.put(field.getName(), message.getField(field));
      }
      json(fields, out);
    } else if (value instanceof Map) {
      char before = '{';
      for (Map.Entry<?, ?> entry : ((Map<?, ?>) value).entrySet()) {
        out.append(before);
        json(entry.getKey(), out);
        out.append(':');
        json(entry.getValue(), out);
        before = ',';
      }
      out.append('}');
    } else if (value instanceof List) {
      String before = "";
      out.append('[');
      for (Object item : (List<?>) value) {
        out.append(before);
        json(item, out);
        before = ",";
      }
      out.append(']');
    } else if (value instanceof String) {
      out.append('"');
      for (char c : ((String) value).toCharArray()) {
        if (c < 0x20 || c > 0x7e || c == '"' || c == '\\') out.append(String.format("\\u%04x", (int) c));
        else out.append(c);
      }
      out.append('"');
    } else out.append(value instanceof Float ? String.valueOf(((Float) value).doubleValue()) : String.valueOf(value));
  }

  public static void main(String[] arguments) throws Exception {
    Map<String, String> given = new LinkedHashMap<>();
    for (String argument : arguments) given.put(argument.split("=", 2)[0], argument.split("=", 2)[1]);
    Type int32 = Type.TYPE_INT32;
    Type string = Type.TYPE_STRING;
    declare("com.devProblems", "Book", "book_id", int32, "title", string, "price", Type.TYPE_FLOAT, "pages", int32,
        "author_id", int32);
    declare("com.devProblems", "Author", "author_id", int32, "first_name", string, "last_name", string, "gender",
        string, "book_id", int32);
    declare("grpc.health.v1", "HealthCheckRequest", "service", string);
    declare("grpc.health.v1", "HealthCheckResponse", "status", int32);

    Map<String, Object> told = new LinkedHashMap<>();
    with(given.get("plain"), null, client -> client.calls(told));
    told.put("tokenNone", oneCall(given.get("bearer"), null));
    for (String name : List.of("good", "wrong", "unscoped")) {
      told.put("token-" + name, oneCall(given.get("bearer"), given.get(name)));
    }
    String ca = given.get("ca");
    told.put("tls", oneCall(given.get("tls"), null, ca));
    told.put("tlsOtherCa", oneCall(given.get("tls"), null, given.get("otherCa")));
    told.put("mutual", oneCall(given.get("mutual"), null, ca, given.get("certificate"), given.get("key")));
    told.put("mutualNone", oneCall(given.get("mutual"), null, ca));
    told.put("mutualStranger",
        oneCall(given.get("mutual"), null, ca, given.get("strangerCertificate"), given.get("strangerKey")));
    StringBuilder out = new StringBuilder();
    json(told, out);
    System.out.println(out);
  }
}
