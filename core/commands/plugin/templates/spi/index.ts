import { type Plugin, provide, RealmResourceProvider } from '@keyhost/spi';
import { Greeter } from './contract.js';

/** Serves `/realms/{realm}/__id__/…` with the greetings of the realm's greeters. */
export default {
  name: '__name__',
  api: 1,
  spis: [Greeter],
  providers: [
    provide(RealmResourceProvider, {
      id: '__id__',
      routes: { greet: { method: 'GET', path: '/{name}', authentication: 'bearer' } },
      open: () => ({
        create: (session) => ({
          async greet({ params: { name } }) {
            const greetings: Record<string, string> = {};
            for (const { id, declaration, provider } of await session.providers(Greeter)) {
              try {
                greetings[declaration.language] = (await provider.greet(name)).text;
              } catch (error) {
                session.logger.warn('a greeter failed', { greeter: id, reason: String(error) });
              }
            }
            return { body: greetings };
          },
        }),
      }),
    }),
  ],
} satisfies Plugin;
