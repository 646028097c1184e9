import { CLIENT_POLICY_EVENTS, ClientPolicyCondition, ClientPolicyExecutor, provide } from '@keyhost/spi';

const settings = { type: 'object', properties: { answer: { type: 'string' } } } as const;
const answer = async ({ config }: { readonly config: { readonly answer?: string } }) =>
  config.answer === 'hangs' ? new Promise<never>(() => {}) : JSON.parse(config.answer ?? 'null');
export default {
  name: 'late',
  api: 1,
  providers: [
    provide(ClientPolicyCondition, {
      id: 'says-late',
      events: CLIENT_POLICY_EVENTS,
      settings,
      open: () => ({ create: () => ({ vote: answer }) }),
    }),
    provide(ClientPolicyExecutor, {
      id: 'does-late',
      events: CLIENT_POLICY_EVENTS,
      settings,
      open: () => ({ create: () => ({ apply: answer }) }),
    }),
  ],
};
