import { ClientRegistrationPolicy, type ClientRegistrationRequest, provide } from '@keyhost/spi';

declare global {
  /** The test sets it, and decides when the policy answers. */
  var registrationGate: ((request: ClientRegistrationRequest) => Promise<void>) | undefined;
}

const judge = async (request: ClientRegistrationRequest) => {
  await globalThis.registrationGate?.(request);
  return undefined;
};
export default {
  name: 'gated',
  api: 1,
  providers: [
    provide(ClientRegistrationPolicy, {
      id: 'gated',
      open: () => ({ create: () => ({ beforeRegister: judge, beforeUpdate: judge }) }),
    }),
  ],
};
