import { EventListener, GrantType, provide } from '@keyhost/spi';

declare global {
  /** The actions of the plugin, in order. */
  var keyhostTold: string[];
  /** The listener waits until the test ends the request. */
  var keyhostRequest: { readonly over: Promise<void>; readonly end: () => void };
}

globalThis.keyhostTold = [];
let end = () => {};
const over = new Promise<void>((resolve) => {
  end = resolve;
});
globalThis.keyhostRequest = { over, end };
const tell = (word: string) => {
  globalThis.keyhostTold.push(word);
};
export default {
  name: 'ears',
  api: 1,
  providers: [
    provide(EventListener, {
      id: 'ears',
      open: () => ({
        create: (session) => ({
          onEvent: async ({ type, userId }) => {
            await globalThis.keyhostRequest.over;
            tell(`${type} ${(await session.users.byId(userId ?? ''))?.username}`);
          },
          close: async () => tell('listener closed'),
        }),
      }),
    }),
    provide(GrantType, {
      id: 'urn:test:alice',
      eventType: 'OAUTH2_EXTENSION_GRANT',
      open: () => ({
        create: (session) => ({
          authorize: async () => ({ userId: (await session.users.byUsername('alice'))?.id ?? '', login: 'transient' }),
          close: async () => tell('grant closed'),
        }),
      }),
    }),
  ],
};
