import { conflictError } from '../admin.js';

export type ImportPolicy = 'FAIL' | 'SKIP' | 'OVERWRITE';
export type ImportAction = 'ADDED' | 'SKIPPED' | 'OVERWRITTEN';
type ImportedType = 'USER' | 'CLIENT' | 'GROUP' | 'REALM_ROLE' | 'CLIENT_ROLE' | 'IDP' | 'IDP_MAPPER';

/** Keycloak's PartialImportResult. */
interface ImportResult {
  readonly action: ImportAction;
  readonly resourceType: ImportedType;
  readonly resourceName: string;
  readonly id: string;
}

/** Decides what happens to each item of an import, and records the results. */
export class ImportLog {
  readonly #policy: ImportPolicy;
  readonly #results: ImportResult[] = [];

  constructor(policy: ImportPolicy) {
    this.#policy = policy;
  }

  /** Decides about an item. @throws AdminError 409 for an existing item, if the policy is to fail */
  decide(description: string, exists: boolean): ImportAction {
    if (!exists) return 'ADDED';
    if (this.#policy === 'FAIL') throw conflictError(`${description} already exists`);
    return this.#policy === 'SKIP' ? 'SKIPPED' : 'OVERWRITTEN';
  }

  record(action: ImportAction, resourceType: ImportedType, resourceName: string, id = ''): void {
    this.#results.push({ action, resourceType, resourceName, id });
  }

  /** Keycloak's PartialImportResults. */
  summary() {
    const count = (action: ImportAction) => this.#results.filter((result) => result.action === action).length;
    return {
      overwritten: count('OVERWRITTEN'),
      added: count('ADDED'),
      skipped: count('SKIPPED'),
      results: this.#results,
    };
  }
}
