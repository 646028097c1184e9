import type { JsonObject } from '@keyhost/spi';
import { RIGHTS } from './rights.js';

// Types, not interfaces: values of the store are JSON.
export type OrganizationRole = {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
};

/** The fields of an organization that callers set. */
export type OrganizationFields = {
  readonly name: string;
  readonly displayName: string | null;
  readonly url: string | null;
  readonly domains: readonly string[];
  readonly attributes: Readonly<Record<string, readonly string[]>>;
};

export type Organization = OrganizationFields & {
  readonly id: string;
  /** Increases with every change of these fields. */
  readonly version: number;
  readonly roles: readonly OrganizationRole[];
};

/** A new organization: its roles are the rights in it. */
export function newOrganization(id: string, fields: OrganizationFields): Organization {
  const roles = Object.entries(RIGHTS).map(([name, description]) => newRole(name, description));
  return { ...fields, id, version: 1, roles };
}

export function newRole(name: string, description: string | null): OrganizationRole {
  return { id: crypto.randomUUID(), name, description };
}

export const roleNamed = ({ roles }: Organization, name: string) => roles.find((role) => role.name === name);

/** The granted roles that still exist. */
export function rolesOf({ roles }: Organization, ids: readonly string[]): readonly OrganizationRole[] {
  return roles.filter(({ id }) => ids.includes(id));
}

/** An organization as the API returns it. */
export function toOrganizationJson({ roles: _, version: __, ...fields }: Organization, realm: string): JsonObject {
  return { ...fields, realm };
}

/** The key of a name: names that differ only in letter case are the same. */
export const nameKey = (name: string): string => name.normalize('NFC').toLowerCase();
