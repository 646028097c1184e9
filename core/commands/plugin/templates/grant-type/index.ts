import { createHash, timingSafeEqual } from 'node:crypto';
import { GrantType, OAuthError, type Plugin, provide } from '@keyhost/spi';

/** The value of `grant_type`: a URI of your own (RFC 6749 §4.5). */
export const GRANT = 'urn:example:__id__';

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Gives a kiosk a token for its own user in exchange for a secret that the realm's admin handed out. */
export default {
  name: '__name__',
  api: 1,
  providers: [
    provide(GrantType, {
      id: GRANT,
      eventType: 'LOGIN',
      realmConfig: {
        type: 'object',
        properties: {
          username: { type: 'string', default: 'kiosk', description: 'Whom the tokens are about.' },
          secret: {
            type: 'string',
            minLength: 16,
            writeOnly: true,
            description: 'Required: without it, every request is rejected.',
          },
        },
        additionalProperties: false,
      },
      open: () => ({
        create: (session, config) => ({
          async authorize({ form }) {
            if (form.kiosk_secret === undefined) {
              throw new OAuthError('invalid_request', 'Missing form parameter: kiosk_secret');
            }
            const isRight =
              config.secret !== undefined && timingSafeEqual(digest(form.kiosk_secret), digest(config.secret));
            const user = isRight ? await session.users.byUsername(config.username) : undefined;
            if (user === undefined) throw new OAuthError('invalid_grant', 'Invalid kiosk credentials');
            return { userId: user.id, login: 'transient', details: { kiosk: config.username } };
          },
        }),
      }),
    }),
  ],
} satisfies Plugin;
