import {
  type Metadata,
  ServerInterceptingCall,
  type ServerInterceptingCallInterface,
  type StatusObject,
  status,
} from '@grpc/grpc-js';
import { type GrpcCall, GrpcError, type Logger } from '@keyhost/spi';
import type { Generation } from '../registry/generations/generation.js';
import type { Admission, Admitted } from './admission.js';
import { endedWithinMessage, harden, stopClient } from './base-call.js';
import { CallView } from './call-view.js';
import { RequestMessages } from './request-messages.js';
import type { ServedMethod } from './served-service.js';
import { toStatus } from './status.js';

type Listener = Parameters<ServerInterceptingCallInterface['start']>[0];
type PartialStatusObject = Pick<StatusObject, 'code' | 'details'> & { metadata?: Metadata };

/** The result of a call. */
export interface CallOutcome {
  readonly method: ServedMethod;
  /** The name of the status, such as `OK`. */
  readonly code: string;
  readonly milliseconds: number;
  /** Number of messages received and sent. */
  readonly received: number;
  readonly sent: number;
  readonly remoteAddress: string;
  readonly realm: string | undefined;
  readonly clientId: string | undefined;
}

/** The services that the calls of one generation share. */
export interface CallServices {
  readonly providers: Generation;
  /** The calls that have a lease on it. */
  readonly open: Set<HandledCall>;
  readonly admission: Admission;
  readonly logger: Logger;
  readonly secure: boolean;
  /** Called once for every call. */
  readonly onEnded: (outcome: CallOutcome) => void;
  /** Observes the calls from their beginning, for tracing. */
  readonly around?: AroundGrpcCall | undefined;
}

/** A call that is observed, for tracing. */
export interface ObservedGrpcCall {
  /** Runs the call's work in the observer's context. */
  run<T>(work: () => T): T;
  /** Called once. */
  ended(outcome: CallOutcome): void;
}

/** Called for each call when its metadata were received. */
export type AroundGrpcCall = (method: ServedMethod, metadata: Metadata) => ObservedGrpcCall;

/** How far a handler may write ahead of the client's reading, in bytes and messages. */
const MAX_BUFFERED_BYTES = 64 * 1024;
const MAX_BUFFERED_MESSAGES = 64;

/** The error for a handler that still reads. */
const CALL_ENDED = 'The call is over';
const OK: PartialStatusObject = { code: status.OK, details: '' };

/**
 * A call, from its headers to its status. It replaces grpc-js's own streams and gets all events from the underlying
 * call. Handlers receive and return messages, and the status is written in one place, once.
 */
export class HandledCall extends ServerInterceptingCall implements Listener {
  readonly #base: ServerInterceptingCallInterface;
  readonly #method: ServedMethod;
  readonly #services: CallServices;
  readonly #started = performance.now();
  #messages: RequestMessages | undefined;
  #request: unknown;
  #view: CallView | undefined;
  #received = 0;
  #sent = 0;
  #halfClosed = false;
  #admitted: Admitted | undefined;
  #observed: ObservedGrpcCall | undefined;
  #settled = false;
  /** True while code of the plugin may run. */
  #busy = false;
  #closing: Promise<void> | undefined;
  #aheadBytes = 0;
  #aheadMessages = 0;
  #drained: (() => void) | undefined;

  constructor(base: ServerInterceptingCallInterface, method: ServedMethod, services: CallServices) {
    super(base);
    this.#base = base;
    this.#method = method;
    this.#services = services;
    services.providers.lease();
    services.open.add(this);
  }

  /** The listener of grpc-js is for its own streams, which are not used. */
  override start(): void {
    const base = this.#base;
    harden(base);
    const { sendStatus } = base;
    // All ends of a call pass through here, also those by grpc-js: a deadline, or a message that is too large or
    // unreadable.
    base.sendStatus = (sent) => {
      sendStatus.call(base, sent);
      if (this.#settled) return;
      this.#settle(sent.code ?? status.UNKNOWN);
      if (!this.#halfClosed) stopClient(base);
    };
    base.start(this);
  }

  onReceiveMetadata(metadata: Metadata): void {
    this.#observed = this.#services.around?.(this.#method, metadata);
    if (this.#observed === undefined) this.#admit(metadata);
    else this.#observed.run(() => this.#admit(metadata));
  }

  #admit(metadata: Metadata): void {
    let admitted: Admitted | Promise<Admitted>;
    const { admission, secure, providers } = this.#services;
    try {
      const ip = this.#base.getConnectionInfo().remoteAddress ?? '';
      admitted = admission.admit(this.#method, metadata, { ip, secure, providers });
    } catch (error) {
      this.#fail(error);
      return;
    }
    if (!(admitted instanceof Promise)) this.#begin(admitted, metadata);
    else {
      this.#busy = true;
      admitted.then(
        (found) => {
          this.#busy = false;
          this.#begin(found, metadata);
        },
        (error: unknown) => {
          this.#busy = false;
          if (this.#settled) this.#releaseLease();
          else this.#fail(error);
        },
      );
    }
  }

  #begin(admitted: Admitted, metadata: Metadata): void {
    this.#admitted = admitted;
    if (this.#settled) {
      this.#closing = admitted.session.close();
      this.#releaseLease();
      return;
    }
    const deadline = this.#base.getDeadline();
    const call = new CallView(metadata, Number(deadline), admitted);
    if (!this.#method.requestStream) {
      this.#view = call;
      this.#base.startRead();
      return;
    }
    this.#messages = new RequestMessages(() => this.#base.startRead());
    void this.#handle(this.#messages, call, admitted);
  }

  onReceiveMessage(message: unknown): void {
    this.#received += 1;
    if (this.#settled) return;
    if (this.#messages !== undefined) {
      const { maxRequestMessages } = this.#method.service;
      if (this.#received > maxRequestMessages) {
        this.#end(refusal('RESOURCE_EXHAUSTED', `A call may send at most ${maxRequestMessages} messages`));
      } else this.#messages.push(message);
      return;
    }
    if (this.#received > 1) {
      this.#end(refusal('UNIMPLEMENTED', `${this.#method.path} expects one message, but got more`));
      return;
    }
    this.#request = message;
    this.#base.startRead();
  }

  /** A cancel may arrive just after the end of stream that Node reports for it: it takes precedence. */
  onReceiveHalfClose(): void {
    setImmediate(() => this.#halfClose());
  }

  #halfClose(): void {
    if (this.#settled) return;
    this.#halfClosed = true;
    if (endedWithinMessage(this.#base)) this.#end(refusal('INTERNAL', 'The stream ended within a message'));
    else if (this.#messages !== undefined) this.#messages.end();
    else if (this.#received === 0) {
      this.#end(refusal('UNIMPLEMENTED', `${this.#method.path} expects one message, but got none`));
    } else if (this.#view !== undefined && this.#admitted !== undefined) {
      void this.#handle(this.#request, this.#view, this.#admitted);
    }
  }

  async #handle(request: unknown, call: GrpcCall, { session, provider }: Admitted): Promise<void> {
    const { name, requestStream, responseStream } = this.#method;
    this.#busy = true;
    try {
      const handler = provider[name];
      if (handler === undefined) throw new Error(`the provider has no method ${name}`);
      const answer =
        this.#observed === undefined
          ? handler.call(provider, request as never, call)
          : this.#observed.run(() => handler.call(provider, request as never, call));
      if (responseStream) await this.#sendAll((await answer) as AsyncIterable<object>);
      else {
        const promised = answer as Promise<object | undefined>;
        const message = await (requestStream ? promised : session.withTimeLimit(promised));
        if (message !== undefined) this.#send(message);
      }
      this.#busy = false;
      this.#end(OK);
    } catch (error) {
      this.#busy = false;
      this.#fail(error);
    }
    if (this.#settled) this.#releaseLease();
  }

  async #sendAll(answers: AsyncIterable<object>): Promise<void> {
    for await (const message of answers) {
      if (this.#settled) return;
      const drained = this.#send(message);
      if (drained !== undefined) await drained;
    }
  }

  /** @returns a promise if the client reads more slowly than the handler writes; it resolves when there is room */
  #send(message: object): Promise<void> | undefined {
    if (this.#settled) return undefined;
    const bytes = this.#method.encode(message);
    this.#sent += 1;
    this.#aheadMessages += 1;
    this.#aheadBytes += bytes.length;
    this.#base.sendMessage(bytes, () => {
      this.#aheadMessages -= 1;
      this.#aheadBytes -= bytes.length;
      if (this.#aheadBytes < MAX_BUFFERED_BYTES && this.#aheadMessages < MAX_BUFFERED_MESSAGES) this.#drained?.();
    });
    if (this.#aheadBytes < MAX_BUFFERED_BYTES && this.#aheadMessages < MAX_BUFFERED_MESSAGES) return undefined;
    return new Promise((resolve) => {
      this.#drained = () => {
        this.#drained = undefined;
        resolve();
      };
    });
  }

  #fail(error: unknown): void {
    const { status: sent, unexpected, failure } = toStatus(error);
    // After the end, a handler may fail because it was aborted: do not log that.
    if (unexpected && !this.#settled) {
      const { message, stack } = (failure ?? {}) as Partial<Error>;
      const { path, service } = this.#method;
      this.#services.logger.error('gRPC call failed', {
        method: path,
        plugin: service.registered.plugin.name,
        reason: String(message ?? failure),
        stack: String(stack ?? ''),
      });
    }
    this.#end(sent);
  }

  /** Releases the lease when nothing of the call runs any more. */
  #releaseLease(): void {
    if (this.#busy || !this.#services.open.delete(this)) return;
    const { providers } = this.#services;
    if (this.#closing === undefined) providers.release();
    else void this.#closing.then(() => providers.release());
  }

  /** Aborts a call that still uses a replaced service. */
  abort(): void {
    this.#end(refusal('UNAVAILABLE', 'The service was replaced'));
  }

  #end(sent: PartialStatusObject): void {
    if (!this.#settled) this.#base.sendStatus(sent);
  }

  /** Called after every call; if it is not settled by then, the client has cancelled it. */
  onCancel(): void {
    if (!this.#settled) this.#settle(status.CANCELLED);
  }

  #settle(code: status): void {
    this.#settled = true;
    this.#messages?.fail(() => new GrpcError('CANCELLED', CALL_ENDED));
    this.#drained?.();
    const { session, principal } = this.#admitted ?? {};
    this.#closing = session?.close();
    this.#releaseLease();
    const outcome: CallOutcome = {
      method: this.#method,
      code: status[code] ?? String(code),
      milliseconds: performance.now() - this.#started,
      received: this.#received,
      sent: this.#sent,
      remoteAddress: this.#base.getConnectionInfo().remoteAddress ?? '',
      realm: session?.realm.name,
      clientId: principal?.clientId,
    };
    this.#services.onEnded(outcome);
    this.#observed?.ended(outcome);
  }
}

function refusal(name: keyof typeof status & Exclude<keyof typeof status, 'OK'>, details: string): PartialStatusObject {
  return { code: status[name], details };
}
