import { HostError, type Plugin, provide, RealmResourceProvider, type ResourceRequest } from '@keyhost/spi';

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

/** The type of the event that tells who was given a link for whom, or was refused one. */
const EVENT = 'NEWSLETTER_TOKEN';

/** The client role that a caller must hold when `authentication` is `client`. */
const ISSUER_ROLE = 'newsletter-token-issuer';

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
        },
        additionalProperties: false,
      },
      routes: { generateToken: { method: 'POST', path: '/generate-token', body } },
      open: () => ({
        create: (session, config) => ({
          async generateToken(request) {
            const { userId, applicationId } = (request as ResourceRequest<{ userId: string; applicationId: string }>)
              .body;
            const event = { type: EVENT, userId, details: { 'app-id': applicationId } };
            let by: { clientId?: string } = {};
            const refuse = async (error: string, answer: unknown) => {
              await session.events.emit({ ...event, ...by, error });
              return answer;
            };
            if (config.authentication === 'client') {
              const caller = await session.authenticate().catch(async (error: unknown) => {
                throw await refuse('not_allowed', error);
              });
              by = { clientId: caller.clientId };
              const roles = [...caller.realmRoles, ...Object.values(caller.clientRoles).flat()];
              if (!roles.includes(ISSUER_ROLE)) {
                const answer = new HostError('access_denied', `The role ${ISSUER_ROLE} is required`, { status: 403 });
                throw await refuse('not_allowed', answer);
              }
            }
            const user = await session.users.byId(userId);
            if (!user?.enabled || user.serviceAccountClientId !== undefined || (await session.users.isAdmin(userId))) {
              const error = user === undefined ? 'user_not_found' : user.enabled ? 'not_allowed' : 'user_disabled';
              throw await refuse(error, new HostError('not_found', 'User not found', { status: 404 }));
            }
            const issued = await session.actionTokens.issue({
              type: config.tokenType,
              userId,
              claims: { 'app-id': applicationId },
            });
            await session.events.emit({ ...event, ...by, details: { ...event.details, token_id: issued.id } });
            return { headers: { 'cache-control': 'no-store' }, body: { ...new Output(issued) } };
          },
        }),
      }),
    }),
  ],
} satisfies Plugin;
