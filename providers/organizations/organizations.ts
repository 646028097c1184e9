import type { PluginStore, Session } from '@keyhost/spi';
import { nameKey, newOrganization, type Organization, type OrganizationFields } from './organization.js';
import { conflict, notFound } from './refusals.js';
import { ID_PATTERN } from './schemas.js';
import { entriesBelow } from './stored-list.js';

const ORGANIZATION = 'organization/';
/** An ID is part of store keys and may be from a URL, so it must not contain separators. */
const IS_ID = new RegExp(ID_PATTERN);
export const NAMES = 'name/';
/** How long a name is reserved for an organization that is about to be written, in milliseconds. */
const RESERVATION_MS = 60_000;

type ReservedName = { readonly id: string; readonly at: number };
type DeletedMarker = { readonly gone: true };

/** Selects the organizations of a list. */
export interface OrganizationFilter {
  /** A part of the name. */
  readonly search?: string | undefined;
  readonly attributes?: Readonly<Record<string, string>>;
}

/**
 * The organizations of the realm. A name is reserved before it is used, so that two organizations cannot get the same
 * one.
 */
export class Organizations {
  readonly #store: PluginStore;
  readonly #now: () => number;

  constructor({ store, clock }: Session) {
    this.#store = store;
    this.#now = () => clock.now();
  }

  async byId(id: string): Promise<Organization | undefined> {
    if (!IS_ID.test(id)) return undefined;
    const found = (await this.#store.get(ORGANIZATION + id)) as Organization | DeletedMarker | undefined;
    return found === undefined || 'gone' in found ? undefined : found;
  }

  /** @throws HostError 409 for a name or an ID that is taken */
  async create(fields: OrganizationFields, id: string): Promise<Organization> {
    await this.#reserveName(fields.name, id);
    const organization = newOrganization(id, fields);
    if (await this.#store.replace(ORGANIZATION + id, undefined, organization)) return organization;
    await this.#freeName(fields.name, id);
    throw conflict(`There is an organization with the id ${id}`);
  }

  /**
   * @param change returns the new state; called again if another request changed it meanwhile
   * @throws HostError 404, 409 for a name that is taken, and the errors of `change`
   */
  async change(id: string, change: (before: Organization) => Organization): Promise<Organization> {
    for (;;) {
      const before = await this.byId(id);
      if (before === undefined) throw notFound('Organization');
      const after = change(before);
      const renamed = nameKey(before.name) !== nameKey(after.name);
      if (renamed) await this.#reserveName(after.name, id);
      const isWritten = await this.#store.replace(ORGANIZATION + id, before, after);
      if (renamed) await this.#freeName((isWritten ? before : after).name, id);
      if (isWritten) return after;
    }
  }

  /**
   * @param clear removes everything that belongs to it, before its ID can be used again
   * @returns true if this call removed it
   */
  async remove(id: string, clear: () => Promise<void>): Promise<boolean> {
    for (;;) {
      const before = await this.byId(id);
      if (before === undefined) return false;
      // The store has no conditional delete, so first replace the organization by this marker.
      if (!(await this.#store.replace(ORGANIZATION + id, before, { gone: true }))) continue;
      await clear();
      await this.#freeName(before.name, id);
      await this.#store.delete(ORGANIZATION + id);
      return true;
    }
  }

  /** Returns the matching organizations, ordered by name. */
  async *find(filter: OrganizationFilter = {}): AsyncGenerator<Organization> {
    const part = nameKey(filter.search?.trim() ?? '');
    for await (const { key, value } of entriesBelow(this.#store, NAMES)) {
      const name = key.slice(NAMES.length);
      if (!name.includes(part)) continue;
      const organization = await this.byId((value as ReservedName).id);
      if (organization === undefined || nameKey(organization.name) !== name) continue;
      if (matchesFilter(organization, filter)) yield organization;
    }
  }

  /** Frees a reserved name whose organization was never written. */
  async releaseUnusedName(name: string): Promise<void> {
    const reserved = (await this.#store.get(NAMES + name)) as ReservedName | undefined;
    if (reserved !== undefined && (await this.#isAbandoned(name, reserved))) await this.#store.delete(NAMES + name);
  }

  async #reserveName(name: string, id: string): Promise<void> {
    const key = nameKey(name);
    const before = (await this.#store.get(NAMES + key)) as ReservedName | undefined;
    if (before === undefined || (await this.#isAbandoned(key, before))) {
      if (await this.#store.replace(NAMES + key, before, { id, at: this.#now() })) return;
    }
    throw conflict(`There is an organization with the name ${name}`);
  }

  async #freeName(name: string, id: string): Promise<void> {
    const key = NAMES + nameKey(name);
    const reserved = (await this.#store.get(key)) as ReservedName | undefined;
    if (reserved?.id === id) await this.#store.delete(key);
  }

  /**
   * True if no organization has the reserved name, for example because a node crashed before it wrote the organization.
   */
  async #isAbandoned(name: string, { id, at }: ReservedName): Promise<boolean> {
    if (this.#now() - at < RESERVATION_MS) return false;
    const organization = await this.byId(id);
    return organization === undefined || nameKey(organization.name) !== name;
  }
}

/** True if an organization matches the filter of a list. */
export function matchesFilter(
  { name, attributes }: Organization,
  { search = '', attributes: wanted = {} }: OrganizationFilter,
) {
  const has = (key: string, value: string) =>
    Object.hasOwn(attributes, key) && attributes[key]?.includes(value) === true;
  return (
    nameKey(name).includes(nameKey(search.trim())) && Object.entries(wanted).every(([key, value]) => has(key, value))
  );
}
