import { HostError, type Plugin, provide, RealmResourceProvider } from '@keyhost/spi';

/** Serves `/realms/{realm}/__id__/…`. */
export default {
  name: '__name__',
  api: 1,
  providers: [
    provide(RealmResourceProvider, {
      id: '__id__',
      realmConfig: {
        type: 'object',
        properties: { greeting: { type: 'string', default: 'Hello' } },
        additionalProperties: false,
      },
      routes: {
        greet: { method: 'GET', path: '/greeting', authentication: 'bearer' },
        remember: {
          method: 'PUT',
          path: '/greeting',
          authentication: 'bearer',
          body: {
            type: 'object',
            properties: { name: { type: 'string', minLength: 1, maxLength: 100 } },
            required: ['name'],
            additionalProperties: false,
          },
        },
      },
      open: () => ({
        create: (session, config) => ({
          /** Greets the caller by the stored name, or by the username. */
          async greet() {
            const { userId = '' } = await session.authenticate();
            const user = await session.users.byId(userId);
            if (user === undefined) throw new HostError('no_user', 'Only users are greeted', { status: 403 });
            const name = (await session.store.get(`name/${userId}`)) ?? user.username;
            return { body: { text: `${config.greeting}, ${name}` } };
          },

          async remember({ body }) {
            const { userId } = await session.authenticate();
            await session.store.put(`name/${userId}`, body.name);
            return { status: 204 };
          },
        }),
      }),
    }),
  ],
} satisfies Plugin;
