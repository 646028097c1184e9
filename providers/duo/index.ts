import {
  type AuthenticationContext,
  type AuthenticationStep,
  Authenticator,
  HostError,
  type Plugin,
  provide,
  type Session,
} from '@keyhost/spi';
import { MESSAGES } from './messages.js';
import { authorizationUrl, checkHealth, type DuoSettings, exchange, type Failure } from './universal-prompt.js';

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
  return {
    host: duoApiHostname.trim(),
    clientId: duoIntegrationKey,
    secret: duoSecretKey,
    failSafe: duoFailSafe === 'true',
  };
}

const notConfirmed = {
  outcome: 'failure',
  error: 'invalid_user_credentials',
  credentialType: 'duo',
  message: {
    key: 'duoNotConfirmed',
    texts: { en: 'Duo did not confirm your sign-in.', de: 'Duo hat Ihre Anmeldung nicht bestätigt.' },
  },
} satisfies AuthenticationStep;
const duoUnavailable = {
  outcome: 'failure',
  error: 'temporarily_unavailable',
  message: {
    key: 'duoAway',
    texts: {
      en: 'Duo is unavailable. Try again later.',
      de: 'Duo ist nicht verfügbar. Versuchen Sie es später noch einmal.',
    },
  },
} satisfies AuthenticationStep;

const misconfigured = {
  outcome: 'failure',
  error: 'duo_refused',
  message: {
    key: 'duoRefused',
    texts: {
      en: 'Duo is not set up correctly here. Ask your administrator.',
      de: 'Duo ist hier nicht richtig eingerichtet. Wenden Sie sich an Ihre Administration.',
    },
  },
} satisfies AuthenticationStep;

/** Logs that Duo rejects this application, and fails the login: a wrong configuration must not let users skip Duo. */
function refuseLogin({ logger }: Session, { host, clientId }: DuoSettings, { cause }: Failure): AuthenticationStep {
  logger.error(
    'Duo refuses this application, so nobody signs in: check duoApiHostname, duoIntegrationKey, duoSecretKey and the clock',
    { host, clientId, cause },
  );
  return misconfigured;
}

/** Duo's Universal Prompt as a second factor (instipod/DuoUniversalKeycloakAuthenticator). */
export default {
  name: '@keyhost/duo',
  api: 1,
  messages: MESSAGES,
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
            pattern: '^\\s*(https?://)?[A-Za-z0-9.:\\[\\]-]+/*\\s*$',
            mustBe: 'the name of a host without a path, such as api-1234abcd.duosecurity.com',
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
            description:
              'On: users pass without Duo while it cannot be reached or fails (5xx). Off: nobody signs in then. If Duo is busy or refuses the application, nobody signs in either way.',
            default: false,
          },
        },
        required: ['duoApiHostname', 'duoIntegrationKey', 'duoSecretKey'],
      },
      open: () => ({
        create: (session: Session) => ({
          async authenticate({ user, provenBefore, returnTo, config }) {
            if (user === undefined || !provenBefore) return { outcome: 'attempted' };
            // A token request has no browser to send to Duo.
            if (returnTo === undefined) return notConfirmed;
            const settings = settingsOf(config);
            const failure = await checkHealth(session, settings);
            if (failure?.state === 'refused') return refuseLogin(session, settings, failure);
            if (failure?.state === 'busy') {
              // Fail-safe does not apply: an attacker could make Duo busy, for instance with many logins, to sign in
              // without it.
              session.logger.warn('Duo is busy, so nobody signs in', { cause: failure.cause });
              return duoUnavailable;
            }
            if (failure !== undefined) {
              session.logger.warn('Duo is down', { failSafe: settings.failSafe, cause: failure.cause });
              return settings.failSafe ? { outcome: 'success', notes: { duo: 'bypassed' } } : duoUnavailable;
            }
            const nonce = crypto.randomUUID();
            const to = await authorizationUrl(session, settings, { username: user.username, returnTo, nonce });
            return { outcome: 'redirect', to, state: nonce };
          },

          async returned({ user, provenBefore, returnTo, state, config }, { duo_code, code = duo_code }) {
            if (
              user === undefined ||
              !provenBefore ||
              returnTo === undefined ||
              state === undefined ||
              code === undefined
            )
              return notConfirmed;
            const prompt = { username: user.username, returnTo, nonce: state };
            const settings = settingsOf(config);
            const verdict = await exchange(session, settings, code, prompt);
            if (verdict === 'allow') return { outcome: 'success' };
            if (verdict === 'deny') return notConfirmed;
            session.logger.warn('Duo did not take the code of a login', { ...verdict });
            return verdict.state === 'refused' ? notConfirmed : duoUnavailable;
          },
        }),
      }),
    }),
  ],
} satisfies Plugin;
