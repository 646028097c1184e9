import {
  type BodyOf,
  HostError,
  OAuthError,
  type Plugin,
  provide,
  RealmResourceProvider,
  type ResourceRequest,
  type Session,
} from '@keyhost/spi';
import { CallerLimits } from './caller-limits.js';

/** A path and scope segment: what `*` of a dynamic scope stands for. */
const APPLICATION_ID = '^[A-Za-z0-9._-]{1,64}$';

const body = {
  type: 'object',
  properties: {
    userId: { type: 'string', minLength: 1, maxLength: 255, description: "The user's id; usernames are not accepted." },
    applicationId: { type: 'string', pattern: APPLICATION_ID },
  },
  required: ['userId', 'applicationId'],
  additionalProperties: false,
} as const;

/** What the endpoint answers: the serialized token and the link that carries it. */
export class Output {
  /** The serialized action token. */
  readonly token: string;
  /** The action-token endpoint with the token in `key`. */
  readonly link: string;
  /** Lifetime in seconds. */
  readonly expiresIn: number;

  constructor(issued: { token: string; link: string; expiresIn: number }) {
    this.token = issued.token;
    this.link = issued.link;
    this.expiresIn = issued.expiresIn;
  }
}

/** The client role that a caller must hold when `authentication` is `client`. */
const ISSUER_ROLE = 'newsletter-token-issuer';

interface RealmConfig {
  readonly authentication: 'client' | 'none';
  readonly tokenType: string;
  readonly requestsPerSecond: number;
  readonly privilegedSubjects: boolean;
}

/** Why a user gets no link: for the event alone. */
const REASONS = {
  user_not_found: 'there is no such user',
  user_disabled: 'the user is disabled',
  not_allowed: 'the user is an admin or a service account, and privilegedSubjects is off',
} as const;

/** One answer for every user that gets no link. */
class SubjectRefused extends OAuthError {
  readonly why: keyof typeof REASONS;

  constructor(why: keyof typeof REASONS) {
    super('not_found', 'User not found', { status: 404, eventError: why });
    this.why = why;
  }
}

/** Answers one request. */
class Newsletter {
  readonly #session: Session;
  readonly #config: RealmConfig;
  readonly #limits: CallerLimits;
  /** The client that asks, once it is known. */
  #caller: { clientId?: string } = {};

  constructor(session: Session, config: RealmConfig, limits: CallerLimits) {
    this.#session = session;
    this.#config = config;
    this.#limits = limits;
  }

  async generateToken({ body: { userId, applicationId } }: ResourceRequest<BodyOf<typeof body>>) {
    const event = { type: 'NEWSLETTER_TOKEN', userId, details: { 'app-id': applicationId } };
    try {
      await this.#admitCaller();
      await this.#admitUser(userId);
    } catch (error) {
      const eventError = (error instanceof OAuthError ? error.eventError : undefined) ?? 'not_allowed';
      const details: Record<string, string> = { ...event.details };
      if (error instanceof SubjectRefused) details.reason = REASONS[error.why];
      await this.#session.events.emit({ ...event, ...this.#caller, details, error: eventError });
      throw error;
    }
    const issued = await this.#session.actionTokens.issue({
      type: this.#config.tokenType,
      userId,
      claims: { 'app-id': applicationId },
    });
    await this.#session.events.emit({
      ...event,
      ...this.#caller,
      details: { ...event.details, token_id: issued.id },
    });
    return { headers: { 'cache-control': 'no-store' }, body: { ...new Output(issued) } };
  }

  async #admitCaller(): Promise<void> {
    const { authentication, requestsPerSecond } = this.#config;
    if (authentication === 'none') {
      await this.#limits.count(this.#session, this.#session.remoteAddress, requestsPerSecond);
      return;
    }
    const { clientId, realmRoles, clientRoles } = await this.#session.authenticate();
    this.#caller = { clientId };
    if (![realmRoles, ...Object.values(clientRoles)].some((roles) => roles.includes(ISSUER_ROLE))) {
      throw new HostError('access_denied', `The role ${ISSUER_ROLE} is required`, { status: 403 });
    }
    await this.#limits.count(this.#session, clientId, requestsPerSecond);
  }

  /** A caller cannot tell apart the users that get no link; the event can. */
  async #admitUser(userId: string): Promise<void> {
    const { users } = this.#session;
    const user = await users.byId(userId);
    if (user === undefined) throw new SubjectRefused('user_not_found');
    if (!user.enabled) throw new SubjectRefused('user_disabled');
    if (this.#config.privilegedSubjects) return;
    const isPrivileged = user.serviceAccountClientId !== undefined || (await users.isAdmin(userId));
    if (isPrivileged) throw new SubjectRefused('not_allowed');
  }
}

export default {
  name: '@keyhost/newsletter',
  api: 1,
  providers: [
    provide(RealmResourceProvider, {
      id: 'newsletter',
      realmConfig: {
        type: 'object',
        properties: {
          authentication: {
            enum: ['client', 'none'],
            default: 'client',
            description: `"client": callers need the role ${ISSUER_ROLE}; "none": anyone may mint tokens.`,
          },
          tokenType: { type: 'string', minLength: 1, default: 'external-app-notification' },
          requestsPerSecond: {
            type: 'integer',
            minimum: 0,
            default: 200,
            description:
              'For each client, or each address without credentials, averaged over ten seconds; 0: no limit.',
          },
          privilegedSubjects: {
            type: 'boolean',
            default: false,
            description:
              'Links are made for admins and service accounts, too. Off: whoever asks cannot tell them from users that are not there.',
          },
        },
        additionalProperties: false,
      },
      routes: { generateToken: { method: 'POST', path: '/generate-token', body } },
      open: () => {
        const limits = new CallerLimits();
        return { create: (session, config) => new Newsletter(session, config, limits) };
      },
    }),
  ],
} satisfies Plugin;
