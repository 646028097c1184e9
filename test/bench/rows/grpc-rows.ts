import { times } from '../figure.js';
import type { GrpcPlan } from '../grpc-load.js';
import { STREAM } from '../servers.js';
import { keyhost, link } from './keyhost-targets.js';
import type { Row, Target } from './row.js';

interface Calls {
  readonly plan: Omit<GrpcPlan, 'address'>;
  /** Units of work in one call. */
  readonly units: number;
}

const BOOK = { price: 9.99, title: 'A Tale', author_id: 2 };
const UNARY: Calls = { plan: { method: 'getAuthor', request: { author_id: 1 }, times: 1, answers: 1 }, units: 1 };
const DOWN: Calls = {
  plan: { method: 'getBooksByAuthor', request: { author_id: 1 }, times: 1, answers: STREAM },
  units: STREAM,
};
const UP: Calls = {
  plan: { method: 'getExpensiveBook', request: BOOK, times: STREAM, answers: 1 },
  units: STREAM,
};
const BOTH: Calls = {
  plan: { method: 'getBooksByGender', request: BOOK, times: STREAM / 10, answers: STREAM },
  units: STREAM * 1.1,
};

const calling = (server: Target['server'], { plan, units }: Calls): Target => ({
  server,
  work: ({ grpc }) => ({ url: '', grpc: { ...plan, address: grpc }, units }),
});

/** A plugin's gRPC service. */
export function grpcRows(): Row[] {
  const row = (name: string, most: number, calls: Calls): Row => ({
    name,
    goals: [times(most)],
    peer: 'bare grpc-js',
    ours: calling(keyhost, calls),
    theirs: calling((servers) => servers.bareGrpc(), calls),
  });
  return [
    row('gRPC unary', 1.1, UNARY),
    row('gRPC server stream, per message', 1.3, DOWN),
    row('gRPC client stream, per message', 1.3, UP),
    row('gRPC both ways, per message', 1.3, BOTH),
  ];
}

/** The cost of isolation: the same with the plugin in a worker and in the process. */
export function isolatedRows(): Row[] {
  const isolated: Target['server'] = (servers) => servers.isolated();
  const row = (name: string, most: number, target: (server: Target['server']) => Target): Row => ({
    name: `in workers: ${name}`,
    goals: [times(most)],
    peer: 'the same in process',
    ours: target(isolated),
    theirs: target(keyhost),
  });
  return [
    row('action token', 2, link),
    row('gRPC unary', 3, (server) => calling(server, UNARY)),
    row('gRPC server stream, per message', 4, (server) => calling(server, DOWN)),
  ];
}
