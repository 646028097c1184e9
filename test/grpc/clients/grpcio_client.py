"""Calls the hosts it is given with Debian's grpcio and prints what came of it as JSON.

usage: grpcio_client.py plain=HOST:PORT bearer=HOST:PORT good=TOKEN ... (see outside-client.ts)
"""

import json
import sys
import threading

import grpc
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

SERVICE = "com.devProblems.BookAuthorService"
FIELD = descriptor_pb2.FieldDescriptorProto
LIMIT = 20


def add_message(file, name, **fields):
    message = file.message_type.add(name=name)
    for number, (field, kind) in enumerate(fields.items(), 1):
        message.field.add(name=field, number=number, type=kind, label=FIELD.LABEL_OPTIONAL)


def message_classes():
    """Written from the text of the proto file, so that nothing here comes from the host."""
    books = descriptor_pb2.FileDescriptorProto(name="books.proto", package="com.devProblems", syntax="proto3")
    int32, string = FIELD.TYPE_INT32, FIELD.TYPE_STRING
    add_message(books, "Book", book_id=int32, title=string, price=FIELD.TYPE_FLOAT, pages=int32, author_id=int32)
    add_message(books, "Author", author_id=int32, first_name=string, last_name=string, gender=string, book_id=int32)
    health = descriptor_pb2.FileDescriptorProto(name="health.proto", package="grpc.health.v1", syntax="proto3")
    add_message(health, "HealthCheckRequest", service=string)
    add_message(health, "HealthCheckResponse", status=int32)
    pool = descriptor_pool.DescriptorPool()
    for file in (books, health):
        pool.Add(file)

    def make(name):
        descriptor = pool.FindMessageTypeByName(name)
        if hasattr(message_factory, "GetMessageClass"):
            return message_factory.GetMessageClass(descriptor)
        return message_factory.MessageFactory(pool).GetPrototype(descriptor)

    return [make(f"{file.package}.{message.name}") for file in (books, health) for message in file.message_type]


Book, Author, HealthCheckRequest, HealthCheckResponse = message_classes()


def plain(message):
    return None if message is None else {field.name: getattr(message, field.name) for field in message.DESCRIPTOR.fields}


def failure(error):
    return {"code": error.code().name, "details": error.details()}


def told(run):
    """A unary answer and its status."""
    try:
        message, call = run()
        return {"code": call.code().name, "message": plain(message)}
    except grpc.RpcError as error:
        return failure(error)


def streamed(call):
    messages = []
    try:
        for message in call:
            messages.append(plain(message))
    except grpc.RpcError as error:
        return {**failure(error), "messages": messages}
    return {"code": call.code().name, "messages": messages}


class Client:
    def __init__(self, channel):
        def stub(kind, path, answer):
            return getattr(channel, kind)(
                path, request_serializer=lambda m: m.SerializeToString(), response_deserializer=answer.FromString
            )

        self.get_author = stub("unary_unary", f"/{SERVICE}/getAuthor", Author)
        self.get_author_stream = stub("unary_stream", f"/{SERVICE}/getAuthor", Author)
        self.get_books_by_author = stub("unary_stream", f"/{SERVICE}/getBooksByAuthor", Book)
        self.get_expensive_book = stub("stream_unary", f"/{SERVICE}/getExpensiveBook", Book)
        self.get_books_by_gender = stub("stream_stream", f"/{SERVICE}/getBooksByGender", Book)
        self.missing = stub("unary_unary", f"/{SERVICE}/getPublisher", Author)
        self.check = stub("unary_unary", "/grpc.health.v1.Health/Check", HealthCheckResponse)

    def author(self, author_id, **options):
        return told(lambda: self.get_author.with_call(Author(author_id=author_id), timeout=LIMIT, **options))

    def expensive(self, *books, **options):
        return told(lambda: self.get_expensive_book.with_call(iter(books), timeout=LIMIT, **options))

    def by_gender(self, *author_ids):
        books = (Book(author_id=author_id) for author_id in author_ids)
        return streamed(self.get_books_by_gender(books, timeout=LIMIT))

    def health(self, service):
        return told(lambda: self.check.with_call(HealthCheckRequest(service=service), timeout=LIMIT))


def held(sent, release, book):
    """Requests that do not end before `release`; `sent` is set once the host has the first."""
    yield book
    sent.set()
    release.wait(LIMIT)


def broken_off(client, release, cancel):
    """A call that is still sending: cancelled, or left to its deadline."""
    sent = threading.Event()
    requests = held(sent, release, Book(author_id=3))
    call = client.get_books_by_gender(requests, timeout=LIMIT if cancel else 0.3)
    if cancel:
        sent.wait(LIMIT)
        call.cancel()
    return streamed(call)


def calls(client):
    release = threading.Event()
    yield "found", client.author(1)
    yield "lastOfMany", client.author(4)
    yield "notFound", client.author(99)
    yield "notFoundAsStream", streamed(client.get_author_stream(Author(author_id=99), timeout=LIMIT))
    yield "books", streamed(client.get_books_by_author(Author(author_id=3), timeout=LIMIT))
    yield "noBooks", streamed(client.get_books_by_author(Author(author_id=99), timeout=LIMIT))
    tie = [Book(book_id=i, title=f"{i} Misérables 本 📚", price=price) for i, price in enumerate((1.5, 9.25, 9.25, 2))]
    yield "expensiveTie", client.expensive(*tie)
    yield "expensiveNone", client.expensive()
    yield "expensiveFree", client.expensive(Book(book_id=1), Book(book_id=2, price=-3))
    yield "expensiveMany", client.expensive(*(Book(book_id=i, price=i % 1000) for i in range(5000)))
    yield "gzip", client.expensive(*tie, compression=grpc.Compression.Gzip)
    yield "repeats", client.by_gender(3, 1, 99, 3)
    yield "emptyStream", client.by_gender()
    yield "tooLarge", client.expensive(Book(title="x" * (5 << 20)))
    yield "missingMethod", told(lambda: client.missing.with_call(Author(), timeout=LIMIT))
    yield "cancel", broken_off(client, release, True)
    yield "deadline", broken_off(client, release, False)
    release.set()
    yield "afterwards", client.author(1)
    yield "health", client.health("")
    yield "healthOfService", client.health(SERVICE)
    yield "healthOfUnknown", client.health("com.devProblems.Unknown")


def with_token(client, token):
    return client.author(1, metadata=[("authorization", f"Bearer {token}")])


def read(file):
    with open(file, "rb") as opened:
        return opened.read()


def over_tls(address, ca, certificate=None, key=None):
    files = [read(ca), key and read(key), certificate and read(certificate)]
    with grpc.secure_channel(address, grpc.ssl_channel_credentials(*files)) as channel:
        return Client(channel).author(1)


def main(given):
    results = {}
    with grpc.insecure_channel(given["plain"]) as channel:
        results.update(calls(Client(channel)))
    with grpc.insecure_channel(given["bearer"]) as channel:
        client = Client(channel)
        results["tokenNone"] = client.author(1)
        for name in ("good", "wrong", "unscoped"):
            results[f"token-{name}"] = with_token(client, given[name])
    ca, other_ca = given["ca"], given["otherCa"]
    results["tls"] = over_tls(given["tls"], ca)
    results["tlsOtherCa"] = over_tls(given["tls"], other_ca)
    results["mutual"] = over_tls(given["mutual"], ca, given["certificate"], given["key"])
    results["mutualNone"] = over_tls(given["mutual"], ca)
    results["mutualStranger"] = over_tls(given["mutual"], ca, given["strangerCertificate"], given["strangerKey"])
    json.dump(results, sys.stdout)


main(dict(argument.split("=", 1) for argument in sys.argv[1:]))
