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
import { linksPage } from './links-page.js';
import { MESSAGES } from './messages.js';
import { APPLICATION_ID, EVENT_TYPE, IS_APPLICATION_ID, LISTED_DAYS, mint, TOKEN_TYPE } from './mint.js';
import { recordLink } from './recorded-links.js';
import { admitUser, REASONS, SubjectRefusedError } from './subject-refused.js';

const body = {
  type: 'object',
  properties: {
    userId: {
      type: 'string',
      minLength: 1,
      maxLength: 255,
      description: 'ID of the user; usernames are not accepted.',
    },
    applicationId: { type: 'string', pattern: APPLICATION_ID, mustBe: IS_APPLICATION_ID },
  },
  required: ['userId', 'applicationId'],
  additionalProperties: false,
} as const;

/** The endpoint's answer: the serialized token and the link with it. */
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
  readonly listedDays: number;
}

/** Answers one request. */
class Newsletter {
  readonly #session: Session;
  readonly #config: RealmConfig;
  readonly #limits: CallerLimits;
  /** The client that sent the request, once it is known. */
  #caller: { clientId?: string } = {};

  constructor(session: Session, config: RealmConfig, limits: CallerLimits) {
    this.#session = session;
    this.#config = config;
    this.#limits = limits;
  }

  async generateToken({ body: { userId, applicationId } }: ResourceRequest<BodyOf<typeof body>>) {
    const event = { type: EVENT_TYPE, userId, details: { 'app-id': applicationId } };
    try {
      await this.#admitCaller();
      await admitUser(this.#session, userId, this.#config.privilegedSubjects);
    } catch (error) {
      const eventError = (error instanceof OAuthError ? error.eventError : undefined) ?? 'not_allowed';
      const details: Record<string, string> = { ...event.details };
      if (error instanceof SubjectRefusedError) details.reason = REASONS[error.reason];
      await this.#session.events.emit({ ...event, ...this.#caller, details, error: eventError });
      throw error;
    }
    const { tokenType, listedDays } = this.#config;
    const issued = await mint(this.#session, tokenType, userId, applicationId);
    if (listedDays > 0) {
      const by = this.#caller.clientId ?? this.#session.remoteAddress;
      await recordLink(this.#session, { userId, applicationId, by }, issued, listedDays);
    }
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
}

export default {
  name: '@keyhost/newsletter',
  api: 1,
  messages: MESSAGES,
  providers: [
    provide(RealmResourceProvider, {
      id: 'newsletter',
      realmConfig: {
        type: 'object',
        properties: {
          authentication: {
            title: 'Authentication',
            enum: ['client', 'none'],
            default: 'client',
            guarded: true,
            description: `"client": callers require the role ${ISSUER_ROLE}; "none": anyone can create links.`,
          },
          tokenType: { ...TOKEN_TYPE, guarded: true },
          requestsPerSecond: {
            type: 'integer',
            title: 'Requests per second',
            minimum: 0,
            default: 200,
            description:
              'Requests per second of each client, or of each address without credentials, averaged over ten seconds. 0: no limit.',
          },
          privilegedSubjects: {
            type: 'boolean',
            title: 'Links for administrators',
            default: false,
            guarded: true,
            description:
              'Also creates links for admins and service accounts. Off: the response is the same as for unknown users.',
          },
          listedDays: {
            ...LISTED_DAYS,
            default: 0,
            description: `${LISTED_DAYS.description} 0: it does not list those that are made here, which saves a write for each.`,
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
    linksPage,
  ],
} satisfies Plugin;
