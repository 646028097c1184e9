import { type AuthenticationContext, Authenticator, type Plugin, provide, type Session } from '@keyhost/spi';
import { MESSAGES } from './messages.js';
import { networkOf } from './network.js';
import { nameOf, noticeMail } from './texts.js';

/**
 * The lifetime of the cookie and of the stored devices and networks, in seconds. Browsers limit cookies to 400 days.
 */
const COOKIE_LIFETIME_S = 400 * 86_400;

/** Records that the user was seen with this device or network. @returns true if it is new */
async function recordSeen({ store }: Session, key: string): Promise<boolean> {
  const isKnown = (await store.get(key)) !== undefined;
  await store.put(key, true, { expiresIn: COOKIE_LIFETIME_S });
  return !isKnown;
}

async function notify(
  session: Session,
  userId: string,
  { client, userAgent = '' }: AuthenticationContext,
): Promise<void> {
  const at = new Date(session.clock.now())
    .toISOString()
    .replace(/:\d\d\.\d+Z$/, ' UTC')
    .replace('T', ' ');
  try {
    await session.mail.send(noticeMail(userId, [nameOf(client), at, session.remoteAddress, userAgent || '-']));
  } catch (error) {
    // A missing mail server must not lock users out.
    session.logger.warn('no notice was sent', {
      userId,
      reason: error instanceof Error ? error.message : String(error),
    });
  }
}

/** Notifies users by email of a sign-in from a device or network that they have not used before. */
export default {
  name: '@keyhost/login-notice',
  api: 1,
  messages: MESSAGES,
  needs: { 'send-mail': 'It tells users of sign-ins from new devices and networks.' },
  providers: [
    provide(Authenticator, {
      id: 'login-notice',
      describe: {
        displayName: 'Login Notice',
        helpText: 'Mails users when they sign in from a new device or network. It belongs at the end of the flow.',
        requirements: ['REQUIRED', 'DISABLED'],
      },
      settings: {
        type: 'object',
        properties: {
          newNetworks: {
            type: 'boolean',
            guarded: false,
            title: 'New networks',
            description: 'Also mail when a known device is in a network that is new.',
            default: true,
          },
        },
      },
      cookies: { device: { maxAge: COOKIE_LIFETIME_S } },
      open: () => ({
        create: (session) => ({
          async authenticate(context) {
            const { user, provenBefore, form, cookies, config } = context;
            if (user === undefined || !provenBefore || form !== undefined) return { outcome: 'success' };
            const device = cookies.device ?? crypto.randomUUID();
            // A user's first sign-in is always from a new device.
            const isFirst = (await session.store.list(`device/${user.id}/`, { max: 1 })).length === 0;
            const isNewDevice = await recordSeen(session, `device/${user.id}/${device}`);
            const isNewNetwork = await recordSeen(session, `network/${user.id}/${networkOf(session.remoteAddress)}`);
            const isNotified = isNewDevice || (isNewNetwork && config.newNetworks !== 'false');
            if (isNotified && !isFirst) await notify(session, user.id, context);
            return { outcome: 'success', cookies: { device } };
          },
        }),
      }),
    }),
  ],
} satisfies Plugin;
