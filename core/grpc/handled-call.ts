import {
  type Metadata,
  ServerInterceptingCall,
  type ServerInterceptingCallInterface,
  type StatusObject,
  status,
} from '@grpc/grpc-js';
import { type GrpcCall, GrpcError, type Logger } from '@keyhost/spi';
import type { Generation } from '../registry/generations/generation.js';
import type { Admission, AdmittedCall } from './admission.js';
import { hardenCall, hasEndedWithinMessage, stopClient } from './base-call.js';
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
  /** The number of messages that were received and sent. */
  readonly received: number;
  readonly sent: number;
  readonly remoteAddress: string;
  readonly realm: string | undefined;
  readonly clientId: string | undefined;
}

/** The services that all calls of one generation share. */
export interface CallServices {
  readonly providers: Generation;
  /** The calls that have a lease on the generation. */
  readonly activeCalls: Set<HandledCall>;
  readonly admission: Admission;
  readonly logger: Logger;
  readonly secure: boolean;
  /** Called once for each call. */
  readonly onEnded: (outcome: CallOutcome) => void;
  /** Observes the calls from their beginning, for tracing. */
  readonly around?: AroundGrpcCall | undefined;
}

/** A call that is observed for tracing. */
export interface ObservedGrpcCall {
  /** Runs the call's work in the observer's context. */
  run<T>(work: () => T): T;
  /** Called once, with the result. */
  recordEnd(outcome: CallOutcome): void;
}

/** Called for each call when its metadata was received. */
export type AroundGrpcCall = (method: ServedMethod, metadata: Metadata) => ObservedGrpcCall;

/** How far a handler may write ahead of what the client has read, in bytes and in messages. */
const MAX_BUFFERED_BYTES = 64 * 1024;
const MAX_BUFFERED_MESSAGES = 64;

/** The error for a handler that still reads after the end of the call. */
const CALL_ENDED = 'The call is over';
const OK: PartialStatusObject = { code: status.OK, details: '' };

/**
 * A call, from its headers to its status. It replaces the streams of grpc-js, and gets all events of the underlying
 * call. Handlers receive and return messages, and the status is written once, in one place.
 */
export class HandledCall extends ServerInterceptingCall implements Listener {
  readonly #base: ServerInterceptingCallInterface;
  readonly #method: ServedMethod;
  readonly #services: CallServices;
  readonly #startedAt = performance.now();
  #messages: RequestMessages | undefined;
  #request: unknown;
  #view: CallView | undefined;
  #receivedCount = 0;
  #sentCount = 0;
  #isHalfClosed = false;
  #admitted: AdmittedCall | undefined;
  #observer: ObservedGrpcCall | undefined;
  #isSettled = false;
  /** True while code of the plugin may be running. */
  #isPluginBusy = false;
  #sessionClosing: Promise<void> | undefined;
  #bufferedBytes = 0;
  #bufferedMessages = 0;
  #onDrained: (() => void) | undefined;

  constructor(base: ServerInterceptingCallInterface, method: ServedMethod, services: CallServices) {
    super(base);
    this.#base = base;
    this.#method = method;
    this.#services = services;
    services.providers.lease();
    services.activeCalls.add(this);
  }

  /** Starts the call. It ignores the listener of grpc-js, which is for streams that are not used here. */
  override start(): void {
    const base = this.#base;
    hardenCall(base);
    const { sendStatus } = base;
    // Every end of a call passes here, also one by grpc-js, as for a deadline, or a message that is too large or
    // unreadable.
    base.sendStatus = (statusObject) => {
      sendStatus.call(base, statusObject);
      if (this.#isSettled) return;
      this.#settle(statusObject.code ?? status.UNKNOWN);
      if (!this.#isHalfClosed) stopClient(base);
    };
    base.start(this);
  }

  onReceiveMetadata(metadata: Metadata): void {
    this.#observer = this.#services.around?.(this.#method, metadata);
    if (this.#observer === undefined) this.#admit(metadata);
    else this.#observer.run(() => this.#admit(metadata));
  }

  #admit(metadata: Metadata): void {
    let admitted: AdmittedCall | Promise<AdmittedCall>;
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
      this.#isPluginBusy = true;
      admitted.then(
        (admittedCall) => {
          this.#isPluginBusy = false;
          this.#begin(admittedCall, metadata);
        },
        (error: unknown) => {
          this.#isPluginBusy = false;
          if (this.#isSettled) this.#releaseLease();
          else this.#fail(error);
        },
      );
    }
  }

  #begin(admitted: AdmittedCall, metadata: Metadata): void {
    this.#admitted = admitted;
    if (this.#isSettled) {
      this.#sessionClosing = admitted.session.close();
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
    this.#receivedCount += 1;
    if (this.#isSettled) return;
    if (this.#messages !== undefined) {
      const { maxRequestMessages } = this.#method.service;
      if (this.#receivedCount > maxRequestMessages) {
        this.#end(refusalStatus('RESOURCE_EXHAUSTED', `A call may send at most ${maxRequestMessages} messages`));
      } else this.#messages.push(message);
      return;
    }
    if (this.#receivedCount > 1) {
      this.#end(refusalStatus('UNIMPLEMENTED', `${this.#method.path} expects one message, but got more`));
      return;
    }
    this.#request = message;
    this.#base.startRead();
  }

  /**
   * Called when the client has sent everything. Node also reports this for a cancel, just before the cancel itself,
   * which takes precedence.
   */
  onReceiveHalfClose(): void {
    setImmediate(() => this.#halfClose());
  }

  #halfClose(): void {
    if (this.#isSettled) return;
    this.#isHalfClosed = true;
    if (hasEndedWithinMessage(this.#base)) this.#end(refusalStatus('INTERNAL', 'The stream ended within a message'));
    else if (this.#messages !== undefined) this.#messages.end();
    else if (this.#receivedCount === 0) {
      this.#end(refusalStatus('UNIMPLEMENTED', `${this.#method.path} expects one message, but got none`));
    } else if (this.#view !== undefined && this.#admitted !== undefined) {
      void this.#handle(this.#request, this.#view, this.#admitted);
    }
  }

  async #handle(request: unknown, call: GrpcCall, { session, provider }: AdmittedCall): Promise<void> {
    const { name, requestStream, responseStream } = this.#method;
    this.#isPluginBusy = true;
    try {
      const handler = provider[name];
      if (handler === undefined) throw new Error(`the provider has no method ${name}`);
      const answer =
        this.#observer === undefined
          ? handler.call(provider, request as never, call)
          : this.#observer.run(() => handler.call(provider, request as never, call));
      if (responseStream) await this.#sendAll((await answer) as AsyncIterable<object>);
      else {
        const messagePromise = answer as Promise<object | undefined>;
        const message = await (requestStream ? messagePromise : session.withTimeLimit(messagePromise));
        if (message !== undefined) this.#send(message);
      }
      this.#isPluginBusy = false;
      this.#end(OK);
    } catch (error) {
      this.#isPluginBusy = false;
      this.#fail(error);
    }
    if (this.#isSettled) this.#releaseLease();
  }

  async #sendAll(answers: AsyncIterable<object>): Promise<void> {
    for await (const message of answers) {
      if (this.#isSettled) return;
      const drained = this.#send(message);
      if (drained !== undefined) await drained;
    }
  }

  /**
   * Sends a message.
   * @returns a promise if the client reads more slowly than the handler writes; it resolves when there is room again
   */
  #send(message: object): Promise<void> | undefined {
    if (this.#isSettled) return undefined;
    const bytes = this.#method.encode(message);
    this.#sentCount += 1;
    this.#bufferedMessages += 1;
    this.#bufferedBytes += bytes.length;
    this.#base.sendMessage(bytes, () => {
      this.#bufferedMessages -= 1;
      this.#bufferedBytes -= bytes.length;
      if (this.#bufferedBytes < MAX_BUFFERED_BYTES && this.#bufferedMessages < MAX_BUFFERED_MESSAGES)
        this.#onDrained?.();
    });
    if (this.#bufferedBytes < MAX_BUFFERED_BYTES && this.#bufferedMessages < MAX_BUFFERED_MESSAGES) return undefined;
    return new Promise((resolve) => {
      this.#onDrained = () => {
        this.#onDrained = undefined;
        resolve();
      };
    });
  }

  #fail(error: unknown): void {
    const { status: statusObject, isUnexpected: unexpected, failure } = toStatus(error);
    // After the end, a handler may fail because it was aborted: do not log that.
    if (unexpected && !this.#isSettled) {
      const { message, stack } = (failure ?? {}) as Partial<Error>;
      const { path, service } = this.#method;
      this.#services.logger.error('gRPC call failed', {
        method: path,
        plugin: service.registered.plugin.name,
        reason: String(message ?? failure),
        stack: String(stack ?? ''),
      });
    }
    this.#end(statusObject);
  }

  /** Releases the lease when no code of the call runs any more. */
  #releaseLease(): void {
    if (this.#isPluginBusy || !this.#services.activeCalls.delete(this)) return;
    const { providers } = this.#services;
    if (this.#sessionClosing === undefined) providers.release();
    else void this.#sessionClosing.then(() => providers.release());
  }

  /** Aborts a call that still uses a service that was replaced. */
  abort(): void {
    this.#end(refusalStatus('UNAVAILABLE', 'The service was replaced'));
  }

  #end(statusObject: PartialStatusObject): void {
    if (!this.#isSettled) this.#base.sendStatus(statusObject);
  }

  /** Called after every call. If the call is not settled yet, the client has cancelled it. */
  onCancel(): void {
    if (!this.#isSettled) this.#settle(status.CANCELLED);
  }

  #settle(code: status): void {
    this.#isSettled = true;
    this.#messages?.fail(() => new GrpcError('CANCELLED', CALL_ENDED));
    this.#onDrained?.();
    const { session, principal } = this.#admitted ?? {};
    this.#sessionClosing = session?.close();
    this.#releaseLease();
    const outcome: CallOutcome = {
      method: this.#method,
      code: status[code] ?? String(code),
      milliseconds: performance.now() - this.#startedAt,
      received: this.#receivedCount,
      sent: this.#sentCount,
      remoteAddress: this.#base.getConnectionInfo().remoteAddress ?? '',
      realm: session?.realm.name,
      clientId: principal?.clientId,
    };
    this.#services.onEnded(outcome);
    this.#observer?.recordEnd(outcome);
  }
}

function refusalStatus(
  name: keyof typeof status & Exclude<keyof typeof status, 'OK'>,
  details: string,
): PartialStatusObject {
  return { code: status[name], details };
}
