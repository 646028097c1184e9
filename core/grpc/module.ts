import { Log, Options } from '../di/host-tokens.js';
import { module, service } from '../di/module.js';
import { token } from '../di/token.js';
import { Realms } from '../realms/realms.js';
import { SessionFactory } from '../registry/sessions/session-factory.js';
import { GrpcOnDemand } from './grpc-on-demand.js';
import type { AroundGrpcCall as AroundGrpcCallOf, CallOutcome } from './handled-call.js';

/** Called for each gRPC call that has reached a service. */
export const OnCallEnded = token<(outcome: CallOutcome) => void>('OnCallEnded');

/** Observes gRPC calls for tracing; undefined if tracing is off. */
export const AroundGrpcCall = token<AroundGrpcCallOf | undefined>('AroundGrpcCall');

export const grpc = module('grpc', [
  service(AroundGrpcCall, () => undefined),
  service(
    GrpcOnDemand,
    (use) =>
      new GrpcOnDemand({
        options: use(Options),
        sessions: use(SessionFactory),
        realms: use(Realms),
        logger: use(Log),
        onEnded: use(OnCallEnded),
        around: use(AroundGrpcCall),
      }),
  ),
]);
