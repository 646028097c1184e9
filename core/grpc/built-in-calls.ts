import { Metadata, ServerInterceptingCall, type ServerInterceptingCallInterface, status } from '@grpc/grpc-js';
import { stopClient } from './base-call.js';

/**
 * Calls that grpc-js serves itself: health and reflection. A client that watches health stays connected until it is
 * disconnected here.
 */
export class BuiltInCalls {
  readonly #open = new Set<ServerInterceptingCallInterface>();

  track(call: ServerInterceptingCallInterface): ServerInterceptingCall {
    this.#open.add(call);
    return new ServerInterceptingCall(call, {
      start: (next) => next({ onCancel: () => void this.#open.delete(call) }),
    });
  }

  end(): void {
    for (const call of this.#open) {
      call.sendStatus({ code: status.UNAVAILABLE, details: 'The server stops', metadata: new Metadata() });
      stopClient(call);
    }
  }
}
