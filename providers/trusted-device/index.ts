import {
  type AuthenticationStep,
  Authenticator,
  EventListener,
  type Plugin,
  provide,
  RealmResourceProvider,
  type Session,
} from '@keyhost/spi';
import { browserName } from './browser-name.js';
import { MAX_DURATION_S, secondsOf } from './duration.js';
import { MESSAGES } from './messages.js';

const COOKIES = { device: { maxAge: MAX_DURATION_S } };
/** Events that end the trust in all devices of a user, because someone else may have known the old credentials. */
const TRUST_ENDING_EVENTS: readonly string[] = [
  'UPDATE_PASSWORD',
  'RESET_PASSWORD',
  'UPDATE_CREDENTIAL',
  'REMOVE_CREDENTIAL',
];
/** Matches the paths of admin events for the same changes. */
const TRUST_ENDING_PATH = /^users\/([^/]+)\/(?:reset-password|credentials\/|disable-credential-types)/;
const NAME_LENGTH = 100;

const keyOf = (userId: string, device = '') => `device/${userId}/${device}`;

async function isTrusted({ store }: Session, userId: string, device: string | undefined): Promise<boolean> {
  return device !== undefined && (await store.get(keyOf(userId, device))) !== undefined;
}

async function devicesOf({ store }: Session, userId: string) {
  const entries = await store.list(keyOf(userId), { max: 1000 });
  return entries.map(({ key, value }) => ({
    id: key.slice(keyOf(userId).length),
    ...(value as { name: string; since: number }),
  }));
}

async function forgetDevices(session: Session, userId: string): Promise<void> {
  for (const { id } of await devicesOf(session, userId)) await session.store.delete(keyOf(userId, id));
}

const trustStep = (name: string, asksName: boolean) =>
  ({
    outcome: 'challenge',
    page: {
      page: 'form',
      title: { key: 'Trust this device?' },
      text: {
        key: 'On a device that you trust, you are not asked for a second factor. Never trust a device that others use.',
      },
      fields: [
        ...(asksName
          ? [{ name: 'name', type: 'text' as const, label: { key: 'Name of this device' }, value: name }]
          : []),
        {
          name: 'trust',
          type: 'choice',
          label: { key: 'This device' },
          value: 'no',
          options: [
            { value: 'yes', label: { key: 'Trust it' } },
            { value: 'no', label: { key: 'Ask me every time' } },
          ],
        },
      ],
      submit: { key: 'doContinue' },
    },
  }) satisfies AuthenticationStep;

/** Skips the second factor on devices that a user trusts (wouterh-dev/keycloak-spi-trusted-device). */
export default {
  name: '@keyhost/trusted-device',
  api: 1,
  messages: MESSAGES,
  providers: [
    provide(Authenticator, {
      id: 'trusted-device-condition',
      describe: {
        category: 'condition',
        displayName: 'Condition - Device Trusted',
        helpText:
          'Its flow runs on devices that the user does not trust; with "Negate output" off, on those that the user trusts.',
      },
      settings: {
        type: 'object',
        properties: {
          negate: {
            type: 'boolean',
            title: 'Negate output',
            description: 'On: the flow runs on devices that the user does not trust.',
            default: true,
          },
        },
      },
      cookies: COOKIES,
      open: () => ({
        create: (session) => ({
          isMet: async ({ user, cookies, config }) =>
            (user !== undefined && (await isTrusted(session, user.id, cookies.device))) === (config.negate === 'false'),
        }),
      }),
    }),

    provide(Authenticator, {
      id: 'trusted-device-authenticator',
      describe: {
        displayName: 'Register Trusted Device',
        helpText: 'Asks users whether they trust the device. It belongs behind the second factor.',
      },
      settings: {
        type: 'object',
        properties: {
          duration: {
            type: 'string',
            guarded: false,
            title: 'Trust duration',
            description:
              'How long a device is trusted, as an ISO 8601 duration such as P90D. Empty: 400 days, the longest time.',
            pattern: '^(P(?=.)(\\d+D)?(T(?=.)(\\d+H)?(\\d+M)?(\\d+S)?)?)?$',
            mustBe: 'an ISO 8601 duration of days, hours, minutes and seconds, such as P90D or PT12H, or empty',
          },
          deviceNameRequired: {
            type: 'boolean',
            guarded: false,
            title: 'Require device name',
            description: 'Off: the name of the browser is used.',
            default: true,
          },
        },
      },
      cookies: COOKIES,
      open: () => ({
        create: (session) => ({
          async authenticate({ user, cookies, config, userAgent, form }) {
            if (user === undefined) return { outcome: 'attempted' };
            if (form !== undefined || (await isTrusted(session, user.id, cookies.device)))
              return { outcome: 'success' };
            return trustStep(browserName(userAgent), config.deviceNameRequired !== 'false');
          },

          async action({ user, provenBefore, cookies, config, userAgent }, { trust, name: typed = '' }) {
            if (trust !== 'yes' || user === undefined) return { outcome: 'success' };
            if (!provenBefore)
              return { outcome: 'failure', error: 'not_allowed', message: { key: 'invalidRequestMessage' } };
            const name = (typed.trim() || browserName(userAgent)).slice(0, NAME_LENGTH);
            const device = cookies.device ?? crypto.randomUUID();
            const value = { name, since: session.clock.now() };
            await session.store.put(keyOf(user.id, device), value, { expiresIn: secondsOf(config.duration ?? '') });
            return { outcome: 'success', cookies: { device } };
          },
        }),
      }),
    }),

    provide(EventListener, {
      id: 'trusted-devices',
      open: () => ({
        create: (session) => ({
          async onEvent({ type, userId, error }) {
            if (userId !== undefined && error === undefined && TRUST_ENDING_EVENTS.includes(type))
              await forgetDevices(session, userId);
          },

          async onAdminEvent({ resourcePath = '', error }) {
            const userId = TRUST_ENDING_PATH.exec(resourcePath)?.[1];
            if (userId !== undefined && error === undefined) await forgetDevices(session, userId);
          },
        }),
      }),
    }),

    provide(RealmResourceProvider, {
      id: 'trusted-devices',
      routes: {
        list: { method: 'GET', path: '/', authentication: 'bearer' },
        remove: { method: 'DELETE', path: '/{id}', authentication: 'bearer' },
      },
      open: () => ({
        create: (session) => ({
          async list() {
            const { userId = '' } = await session.authenticate();
            return { body: await devicesOf(session, userId) };
          },

          async remove({ params }) {
            const { userId = '' } = await session.authenticate();
            await session.store.delete(keyOf(userId, params.id));
            return { status: 204 };
          },
        }),
      }),
    }),
  ],
} satisfies Plugin;
