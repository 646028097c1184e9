import {
  type AuthenticationContext,
  type AuthenticationStep,
  Authenticator,
  FormAction,
  type Plugin,
  provide,
} from '@keyhost/spi';
import { Captcha, CONFIG, RESOURCES, SETTINGS, STATUS_FIELD } from './captcha.js';
import { MESSAGES } from './messages.js';
import { PAGE } from './texts.js';

const IN_REGISTRATION = 'registration-altcha-action';
const IN_LOGIN = 'login-altcha-action';

/** The page of the step. @param again true after a wrong answer: then the user has to press the button */
async function challengeStep(
  captcha: Captcha,
  context: AuthenticationContext,
  again = false,
): Promise<AuthenticationStep> {
  const fields = await captcha.fields(context, { sends: !again });
  return {
    outcome: 'challenge',
    page: { page: 'form', title: PAGE.title, fields, submit: { key: 'doContinue' } },
    resources: RESOURCES,
    ...(again && { error: 'invalid_input', message: PAGE.failed }),
  };
}

/** ALTCHA's proof of work in registration and login (lacontrevoie/keycloak-altcha). */
export default {
  name: '@keyhost/captcha',
  api: 1,
  messages: MESSAGES,
  providers: [
    provide(FormAction, {
      id: IN_REGISTRATION,
      describe: { displayName: 'ALTCHA', helpText: 'Lets the browser of a person who registers solve a small task.' },
      settings: SETTINGS,
      config: CONFIG,
      open: ({ key }) => ({
        create(session) {
          const captcha = new Captcha(session, IN_REGISTRATION, key);
          return {
            buildPage: async (context) => ({ fields: await captcha.fields(context), resources: RESOURCES }),

            async validate(context) {
              if (await captcha.isSolved(context, context.form)) return { errors: [] };
              // Hide other errors from bots.
              return { errors: [{ field: STATUS_FIELD, message: PAGE.failed }], excludeOtherErrors: true };
            },
          };
        },
      }),
    }),
    provide(Authenticator, {
      id: IN_LOGIN,
      describe: {
        displayName: 'ALTCHA (Login)',
        helpText: 'Lets the browser solve a small task before the password is asked for.',
        requirements: ['REQUIRED', 'DISABLED'],
      },
      settings: SETTINGS,
      config: CONFIG,
      open: ({ key }) => ({
        create(session) {
          const captcha = new Captcha(session, IN_LOGIN, key);
          return {
            // A token request has no page on which to solve a challenge.
            authenticate: async (context) =>
              context.form === undefined ? challengeStep(captcha, context) : { outcome: 'attempted' },
            action: async (context, form) =>
              (await captcha.isSolved(context, form)) ? { outcome: 'success' } : challengeStep(captcha, context, true),
          };
        },
      }),
    }),
  ],
} satisfies Plugin;
