import { Metadata, ServerInterceptingCall, type ServerInterceptingCallInterface, status } from '@grpc/grpc-js';
import { stopClient } from './base-call.js';

/**
 * Tracks the calls that grpc-js serves itself: health and reflection. A client that watches the health stays connected
 * until it is disconnected here.
 */
export class BuiltInCalls {
  readonly #activeCalls = new Set<ServerInterceptingCallInterface>();

  track(call: ServerInterceptingCallInterface): ServerInterceptingCall {
    this.#activeCalls.add(call);
    return new ServerInterceptingCall(call, {
      start: (next) => next({ onCancel: () => void this.#activeCalls.delete(call) }),
    });
  }

  end(): void {
    for (const call of this.#activeCalls) {
      call.sendStatus({ code: status.UNAVAILABLE, details: 'The server stops', metadata: new Metadata() });
      stopClient(call);
    }
  }
}
