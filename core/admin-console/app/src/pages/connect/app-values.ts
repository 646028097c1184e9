import type { App, AppKindFacts, Framework } from '../../api/apps.ts';

/** The values of the form. Undefined members are derived from the others. */
export interface AppValues {
  readonly name: string;
  readonly clientId?: string;
  readonly url?: string;
  readonly productionUrl: string;
  readonly redirectUris?: string;
  readonly postLogoutRedirectUris?: string;
  readonly groups?: boolean;
  readonly audiences: string;
  readonly offlineAccess: boolean;
}

export const NO_VALUES: AppValues = { name: '', productionUrl: '', audiences: '', offlineAccess: false };

/** The app as the host expects it. */
export function appOf(values: AppValues, kind: AppKindFacts, framework: Framework | undefined): App {
  const { clientId, url, productionUrl, redirectUris, postLogoutRedirectUris, audiences } = values;
  return {
    kind: kind.id,
    framework: framework?.id,
    name: values.name.trim(),
    clientId: clientId?.trim(),
    url: kind.hasUrl ? (url ?? framework?.url ?? kind.url) : undefined,
    productionUrl: kind.hasUrl ? productionUrl.trim() : undefined,
    redirectUris: kind.redirects ? lines(redirectUris) : undefined,
    postLogoutRedirectUris: kind.hasUrl ? lines(postLogoutRedirectUris) : undefined,
    groups: values.groups ?? framework?.groups ?? false,
    audiences: audiences.split(/[\s,]+/).filter((one) => one !== ''),
    offlineAccess: kind.redirects && values.offlineAccess,
  };
}

function lines(text: string | undefined): readonly string[] | undefined {
  return text
    ?.split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
