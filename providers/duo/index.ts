import {
  type AuthenticationContext,
  type AuthenticationStep,
  Authenticator,
  HostError,
  type Plugin,
  provide,
  type Session,
} from '@keyhost/spi';
import { authorizationUrl, type DuoSettings, exchange, isHealthy } from './universal-prompt.js';

interface Settings extends DuoSettings {
  readonly failSafe: boolean;
}

/** @throws HostError `duo_not_configured` (500) */
function settingsOf({
  duoApiHostname,
  duoIntegrationKey,
  duoSecretKey,
  duoFailSafe,
}: AuthenticationContext['config']): Settings {
  if (!duoApiHostname || !duoIntegrationKey || !duoSecretKey) {
    throw new HostError(
      'duo_not_configured',
      'duo-universal: the step needs duoApiHostname, duoIntegrationKey and duoSecretKey',
    );
  }
  return { host: duoApiHostname, clientId: duoIntegrationKey, secret: duoSecretKey, failSafe: duoFailSafe === 'true' };
}

const refused = {
  outcome: 'failure',
  error: 'invalid_user_credentials',
  message: {
    key: 'duoNotConfirmed',
    texts: { en: 'Duo did not confirm your sign-in.', de: 'Duo hat Ihre Anmeldung nicht bestätigt.' },
  },
} satisfies AuthenticationStep;
const away = {
  outcome: 'failure',
  error: 'temporarily_unavailable',
  message: {
    key: 'duoAway',
    texts: {
      en: 'Duo cannot be reached. Try again later.',
      de: 'Duo ist nicht erreichbar. Versuchen Sie es später noch einmal.',
    },
  },
} satisfies AuthenticationStep;

/** Duo's Universal Prompt as a second factor (instipod/DuoUniversalKeycloakAuthenticator). */
export default {
  name: '@keyhost/duo',
  api: 1,
  providers: [
    provide(Authenticator, {
      id: 'duo-universal',
      describe: {
        displayName: 'Duo Universal MFA',
        helpText: 'Asks users for their second factor by the Universal Prompt of Duo.',
      },
      settings: {
        type: 'object',
        properties: {
          duoApiHostname: {
            type: 'string',
            title: 'Duo API Hostname',
            description: 'Such as api-1234abcd.duosecurity.com.',
          },
          duoIntegrationKey: {
            type: 'string',
            title: 'Duo Integration Key',
            description: 'The client ID of the application in Duo.',
          },
          duoSecretKey: {
            type: 'string',
            title: 'Duo Secret Key',
            description: 'The client secret of the application in Duo.',
            format: 'password',
          },
          duoFailSafe: {
            type: 'boolean',
            title: 'Fail Safe',
            description: 'On: users pass without Duo while Duo is down. Off: nobody signs in then.',
            default: false,
          },
        },
        required: ['duoApiHostname', 'duoIntegrationKey', 'duoSecretKey'],
      },
      open: () => ({
        create: (session: Session) => ({
          async authenticate({ user, proven, returnTo, config }) {
            if (user === undefined || !proven) return { outcome: 'attempted' };
            // A token request has no browser to send to Duo.
            if (returnTo === undefined) return refused;
            const settings = settingsOf(config);
            if (!(await isHealthy(session, settings))) {
              session.logger.warn('Duo is down', { failSafe: settings.failSafe });
              return settings.failSafe ? { outcome: 'success', notes: { duo: 'bypassed' } } : away;
            }
            const nonce = crypto.randomUUID();
            const to = await authorizationUrl(session, settings, { username: user.username, returnTo, nonce });
            return { outcome: 'redirect', to, state: nonce };
          },

          async returned({ user, proven, returnTo, state, config }, { duo_code, code = duo_code }) {
            if (user === undefined || !proven || returnTo === undefined || state === undefined || code === undefined)
              return refused;
            const asked = { username: user.username, returnTo, nonce: state };
            const verdict = await exchange(session, settingsOf(config), code, asked);
            return verdict === 'allow' ? { outcome: 'success' } : verdict === 'away' ? away : refused;
          },
        }),
      }),
    }),
  ],
} satisfies Plugin;
