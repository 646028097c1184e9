import { createHash, timingSafeEqual } from 'node:crypto';
import {
  type AuthenticationContext,
  type AuthenticationStep,
  Authenticator,
  type ManagedUser,
  type Plugin,
  provide,
  type Session,
} from '@keyhost/spi';
import { MESSAGES } from './messages.js';
import { codeMail, LIFETIME, nameOf, PAGE } from './texts.js';

const CODE_DIGITS = 6;
/** The number of codes that a user may try before the login ends. */
const MAX_TRIES = 5;
/** The lifetime of the state of a code with its number of tries, in seconds. It is longer than any login takes. */
const STATE_LIFETIME_S = 24 * 60 * 60;
const TOO_MANY = 'mail_too_many';
/** Reasons why no mail can be sent now. */
const UNSENT_CODES: readonly unknown[] = [TOO_MANY, 'mail_queue_full', 'mail_server_missing', 'mail_no_address'];

/**
 * The newest code of a login. It is stored, so that loading the page again sends no new code. All pages, codes and
 * usernames of a login share the number of tries.
 */
type CodeState = {
  /**
   * The user of the code. Null if it belongs to no user, for example for an unknown username. Tries are counted for it,
   * too.
   */
  readonly userId: string | null;
  readonly hash: string;
  /** Milliseconds since the epoch. */
  readonly until: number;
  readonly tries: number;
};

const keyOf = (login: string) => `code/${login}`;
const hashOf = (login: string, code: string) => createHash('sha256').update(`${login} ${code}`).digest('base64url');

function newCode(): string {
  // Reject the last of the 2^32 numbers: with them, small codes would be a little more likely.
  for (;;) {
    const [number = 0] = crypto.getRandomValues(new Uint32Array(1));
    if (number < 4_294_000_000) return String(number % 10 ** CODE_DIGITS).padStart(CODE_DIGITS, '0');
  }
}

const usernameStep = {
  outcome: 'challenge',
  page: {
    page: 'form',
    title: { key: 'loginAccountTitle' },
    fields: [
      { name: 'username', type: 'text', label: { key: 'usernameOrEmail' }, autocomplete: 'username', required: true },
    ],
    submit: { key: 'doContinue' },
  },
} satisfies AuthenticationStep;

const codePage = {
  outcome: 'challenge',
  page: {
    page: 'form',
    title: PAGE.title,
    text: PAGE.asked,
    fields: [
      { name: 'code', type: 'text', label: PAGE.code, autocomplete: 'one-time-code', inputmode: 'numeric' },
      { name: 'resend', type: 'checkbox', label: PAGE.resend },
    ],
    submit: { key: 'doLogIn' },
  },
} satisfies AuthenticationStep;

/** The state of the page that asks for the code. */
type Typed = { readonly typed: string };

/** The page that asks for the code. Its text confirms that a code was sent only if the login has verified the user. */
const codeStep = ({ provenBefore }: AuthenticationContext, typed: string) =>
  ({
    ...codePage,
    state: JSON.stringify({ typed } satisfies Typed),
    page: { ...codePage.page, text: provenBefore ? PAGE.text : PAGE.asked },
  }) satisfies AuthenticationStep;

const { text: _claim, ...withoutClaim } = codePage.page;
/**
 * The page if no code could be sent. Its text does not confirm that a code was sent. An earlier code is still valid.
 */
const unsentStep = (typed: string, code?: unknown) =>
  ({
    ...codePage,
    state: JSON.stringify({ typed } satisfies Typed),
    page: { ...withoutClaim, title: PAGE.unsent },
    message: code === TOO_MANY ? PAGE.tooManyMails : PAGE.notSent,
  }) satisfies AuthenticationStep;

/** Returns the name that was typed on the answered page, or earlier in the login. */
function typedOf({ state, typedUsername, user }: AuthenticationContext): string {
  const { typed = '' } = (state === undefined ? {} : JSON.parse(state)) as Partial<Typed>;
  return typed || (typedUsername ?? user?.username ?? '');
}

/** Ends a login in which too many codes were tried. */
const tooManyTries = { outcome: 'failure', error: 'access_denied', message: PAGE.tooMany } satisfies AuthenticationStep;

type Recipient = Pick<ManagedUser, 'id' | 'enabled' | 'email'>;

const readState = async ({ store }: Session, login: string) => (await store.get(keyOf(login))) as CodeState | undefined;

/** Writes the state unless another request has changed it. @returns true if it was written */
const writeState = ({ store }: Session, login: string, before: CodeState | undefined, after: CodeState) =>
  store.replace(keyOf(login), before, after, { expiresIn: STATE_LIFETIME_S });

/** True if a code of that user was sent and is valid. */
const hasValidCode = ({ clock }: Session, state: CodeState | undefined, userId: string) =>
  state?.userId === userId && clock.now() < state.until;

/**
 * Stores a code in place of the previous one. The number of tries of the login is not reset.
 *
 * @returns the previous state; the step that ends the login if no tries are left
 */
async function replaceCode(session: Session, login: string, userId: string | null, code: string) {
  const until = session.clock.now() + LIFETIME * 1000;
  for (;;) {
    const before = await readState(session, login);
    const tries = before?.tries ?? MAX_TRIES;
    if (tries <= 0) return tooManyTries;
    if (await writeState(session, login, before, { userId, hash: hashOf(login, code), until, tries }))
      return { before };
  }
}

/** Restores the previous code after a code could not be sent, unless a newer one was stored meanwhile. */
async function restorePrevious(session: Session, login: string, code: string, before: Omit<CodeState, 'tries'>) {
  for (;;) {
    const stored = await readState(session, login);
    if (stored === undefined || stored.hash !== hashOf(login, code)) return;
    if (await writeState(session, login, stored, { ...before, tries: stored.tries })) return;
  }
}

/** Sends a code and shows the page that asks for it; for an unknown name, only shows the page. */
async function sendCode(
  session: Session,
  user: Recipient | undefined,
  context: AuthenticationContext,
  typed: string,
): Promise<AuthenticationStep> {
  const { login = '', client, user: knownUser, provenBefore } = context;
  const code = newCode();
  const recipient = user?.enabled === true && user.email !== undefined ? user : undefined;
  // Store the code before it is sent, so that with concurrent requests the code of each mail is valid until the next
  // mail.
  const replaced = await replaceCode(session, login, recipient?.id ?? null, code);
  if ('outcome' in replaced) return replaced;
  try {
    // Before the user is verified, the host counts mails by the typed name, so that unknown names get the same answers.
    const byName = { typedName: typed, ...(recipient && { userId: recipient.id }) };
    await session.mail.send(
      codeMail(provenBefore && recipient ? { userId: recipient.id } : byName, nameOf(client), code),
    );
    return codeStep(context, typed);
  } catch (error) {
    // A user who has only typed a name may request another code, so the state must retain the user.
    const userId = recipient !== undefined && knownUser === undefined ? recipient.id : null;
    const emptyState = { userId, hash: hashOf(login, code), until: 0 };
    const { before } = replaced;
    await restorePrevious(session, login, code, before && before.userId === recipient?.id ? before : emptyState);
    const { code: reason } = error as { readonly code?: unknown };
    if (!UNSENT_CODES.includes(reason)) throw error;
    session.logger.warn('no code was sent', { userId: recipient?.id ?? '', reason: (error as Error).message });
    return unsentStep(typed, reason);
  }
}

/** Checks a typed code. Each try is counted before the result is revealed, also with concurrent requests. */
async function checkCode(session: Session, context: AuthenticationContext, code: string): Promise<AuthenticationStep> {
  const { login = '', user } = context;
  const typed = typedOf(context);
  const hash = Buffer.from(hashOf(login, code.replaceAll(/\s/g, '')));
  for (;;) {
    const stored = await readState(session, login);
    const error = {
      error: 'invalid_user_credentials',
      credentialType: 'email-otp',
      ...(stored?.userId && { userId: stored.userId }),
    };
    if (stored === undefined) return { ...codeStep(context, typed), ...error, message: PAGE.wrong };
    if (stored.tries <= 0) return tooManyTries;
    const isCorrect = stored.userId !== null && timingSafeEqual(hash, Buffer.from(stored.hash));
    const tries = stored.tries - 1;
    const isAccepted = isCorrect && session.clock.now() < stored.until;
    if (!(await writeState(session, login, stored, { ...stored, ...(isAccepted && { userId: null }), tries })))
      continue;
    if (isAccepted && stored.userId !== null) {
      await session.store.delete(keyOf(login));
      return { outcome: 'success', userId: stored.userId, credentialType: 'email-otp' };
    }
    if (tries <= 0) return { outcome: 'failure', ...error, message: PAGE.tooMany };
    const step = user !== undefined && stored.userId === null ? unsentStep(typed) : codeStep(context, typed);
    return { ...step, ...error, message: isCorrect ? PAGE.expired : PAGE.wrong };
  }
}

/**
 * A code by email as the only or the second factor (p2-inc/keycloak-magic-link,
 * mesutpiskin/keycloak-2fa-email-authenticator).
 */
export default {
  name: '@keyhost/email-otp',
  api: 1,
  messages: MESSAGES,
  needs: {
    'send-mail': 'It mails the codes to the users.',
    'view-users': 'It finds users by their email address.',
  },
  providers: [
    provide(Authenticator, {
      id: 'ext-email-otp',
      describe: { displayName: 'Email OTP', helpText: 'Mails users a code, and asks for it.', proves: true },
      open: () => ({
        create: (session) => ({
          configuredFor: async ({ email }) => email !== undefined,

          async authenticate(context) {
            const { user, form, login = '' } = context;
            // A token request has no page to ask with.
            if (form !== undefined) return { outcome: 'attempted' };
            const stored = await readState(session, login);
            if (stored !== undefined && stored.tries <= 0) return tooManyTries;
            if (user === undefined) return usernameStep;
            const typed = typedOf(context);
            return hasValidCode(session, stored, user.id)
              ? codeStep(context, typed)
              : sendCode(session, user, context, typed);
          },

          async action(context, { username, code = '', resend }) {
            const { state, user, login = '' } = context;
            const stored = await readState(session, login);
            if (stored !== undefined && stored.tries <= 0) return tooManyTries;
            // If a page is posted twice, the second post has no state: its code is checked, too, and it sends nothing.
            if (state === undefined && user === undefined && username !== undefined) {
              const typed = username.trim();
              const namedUser = await session.users.byUsernameOrEmail(typed);
              const isSent = namedUser !== undefined && hasValidCode(session, stored, namedUser.id);
              return isSent ? codeStep(context, typed) : sendCode(session, namedUser, context, typed);
            }
            if (resend !== 'on') return checkCode(session, context, code);
            const typed = typedOf(context);
            if (state === undefined) return codeStep(context, typed);
            const recipient = user ?? (stored?.userId ? await session.users.byId(stored.userId) : undefined);
            const step = await sendCode(session, recipient, context, typed);
            return { message: PAGE.sentAgain, ...step } as AuthenticationStep;
          },
        }),
      }),
    }),
  ],
} satisfies Plugin;
