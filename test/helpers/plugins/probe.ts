import { type GrpcCall, GrpcService, provide } from '@keyhost/spi';

declare global {
  /** The methods of each case of the test, which the metadata `case` names. */
  var keyhostProbe: Map<string, Record<string, (request: unknown, call: GrpcCall) => never>> | undefined;
}

const method = (name: string) => (request: unknown, call: GrpcCall) =>
  globalThis.keyhostProbe?.get(String(call.metadata.case?.[0]))?.[name]?.(request, call) as never;
export default {
  name: 'probe',
  api: 1,
  providers: [
    provide(GrpcService, {
      id: 'probe',
      proto: 'probe.proto',
      service: 'test.raw.Probe',
      methods: { unary: {}, down: {}, up: {}, both: {} },
      open: () => ({
        create: () => ({ unary: method('unary'), down: method('down'), up: method('up'), both: method('both') }),
      }),
    }),
  ],
};
