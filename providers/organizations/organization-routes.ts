import type { BodyOf, ResourceOf, ResourceRequest } from '@keyhost/spi';
import { recordAdminEvent } from './admin-events.js';
import type { Caller, RequestContext } from './caller.js';
import { Invitations } from './invitations.js';
import { type Organization, type OrganizationFields, toOrganizationJson } from './organization.js';
import { countAll, pageOf, parameter, readPart } from './paging.js';
import { badRequest, forbidden, preconditionFailed } from './refusals.js';
import { RIGHTS } from './rights.js';
import { ORGANIZATION } from './schemas.js';
import { attributesOf } from './search.js';

export const organizationRoutes = {
  listOrganizations: { method: 'GET', path: '/', authentication: 'bearer' },
  createOrganization: { method: 'POST', path: '/', authentication: 'bearer', body: ORGANIZATION },
  countOrganizations: { method: 'GET', path: '/count', authentication: 'bearer' },
  readOrganization: { method: 'GET', path: '/{orgId}', authentication: 'bearer' },
  updateOrganization: { method: 'PUT', path: '/{orgId}', authentication: 'bearer', body: ORGANIZATION },
  deleteOrganization: { method: 'DELETE', path: '/{orgId}', authentication: 'bearer' },
} as const;

type Body = BodyOf<typeof ORGANIZATION>;

export function organizationMethods(access: RequestContext): ResourceOf<typeof organizationRoutes> {
  const { session, organizations, members } = access;
  const realm = session.realm.name;
  const filterOf = ({ query }: Pick<ResourceRequest, 'query'>) => ({
    search: parameter(query, 'search'),
    attributes: attributesOf(parameter(query, 'q')),
  });

  /** All organizations, or those of the caller if that is all that the caller may see. */
  async function* visible(caller: Caller, request: Pick<ResourceRequest, 'query'>): AsyncGenerator<Organization> {
    const filter = filterOf(request);
    if (caller.realm.views) yield* organizations.find(filter);
    else yield* members.organizationsOf(caller.userId, filter);
  }

  return {
    async listOrganizations(request) {
      const page = pageOf(request.query);
      const found = await readPart(visible(await access.caller(), request), page);
      return { body: found.map((organization) => toOrganizationJson(organization, realm)) };
    },

    async countOrganizations(request) {
      const caller = await access.caller();
      if (!caller.realm.views) throw forbidden('The role view-organizations is required');
      return { body: await countAll(organizations.find(filterOf(request))) };
    },

    async createOrganization({ body }) {
      const caller = await access.caller();
      const { creates, manages } = caller.realm;
      if (!creates && !manages) throw forbidden('The role create-organization is required');
      const fields = fieldsOf(body, realm);
      const { id } = await organizations.create(fields, body.id || crypto.randomUUID());
      await recordAdminEvent(session, 'CREATE_ORGANIZATION', caller, { org_id: id, name: fields.name });
      // A creator without rights in all organizations gets the rights in the new one.
      const creator = creates ? await session.users.byId(caller.userId) : undefined;
      if (creator !== undefined && creator.serviceAccountClientId === undefined) {
        const created = await organizations.byId(id);
        const rights = created?.roles.filter(({ name }) => Object.hasOwn(RIGHTS, name)) ?? [];
        await members.add(
          id,
          caller.userId,
          rights.map((role) => role.id),
        );
        await recordAdminEvent(session, 'CREATE_ORGANIZATION_MEMBERSHIP', caller, {
          org_id: id,
          user_id: caller.userId,
        });
      }
      return { status: 201, headers: { location: `${session.realm.issuer}/orgs/${id}` } };
    },

    async readOrganization({ params }) {
      const { organization } = await access.authorize(params.orgId);
      return { headers: { etag: etagOf(organization) }, body: toOrganizationJson(organization, realm) };
    },

    async updateOrganization({ params, body, headers }) {
      const { caller, organization } = await access.authorize(params.orgId, 'manage-organization');
      const fields = fieldsOf(body, realm);
      if (body.id && body.id !== organization.id) throw badRequest('id cannot be changed');
      const wanted = headers['if-match'];
      await organizations.change(organization.id, (before) => {
        if (wanted !== undefined && wanted !== '*' && wanted !== etagOf(before)) throw preconditionFailed();
        return { ...before, ...fields, version: before.version + 1 };
      });
      await recordAdminEvent(session, 'UPDATE_ORGANIZATION', caller, { org_id: organization.id, name: fields.name });
      return { status: 204 };
    },

    async deleteOrganization({ params }) {
      const { caller, organization } = await access.authorize(params.orgId, 'delete-organization');
      const { id, name } = organization;
      const invitations = new Invitations(session);
      const removed = await organizations.remove(id, async () => {
        for await (const { userId } of members.of(id)) await members.remove(id, userId);
        for await (const invitation of invitations.of(id)) await invitations.clear(invitation);
      });
      if (removed) await recordAdminEvent(session, 'DELETE_ORGANIZATION', caller, { org_id: id, name });
      return { status: 204 };
    },
  };
}

const etagOf = ({ version }: Organization) => `"${version}"`;

/** An omitted member has no value, as in keycloak-orgs. */
function fieldsOf({ name, displayName, url, domains, attributes, realm }: Body, ownRealm: string): OrganizationFields {
  if (realm && realm !== ownRealm) throw badRequest(`realm must be ${ownRealm}`);
  if (url && !isWebAddress(url)) throw badRequest('url must be an http or https address');
  return {
    name,
    displayName: displayName || null,
    url: url || null,
    domains: (domains ?? []).map((domain) => domain.toLowerCase()),
    attributes: attributes ?? {},
  };
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);
}
