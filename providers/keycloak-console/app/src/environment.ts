import type { KeycloakProvider } from '@keycloak/keycloak-admin-ui';
import type { ComponentProps } from 'react';
import mark from './mark.svg';

/** The host's data for the console of this realm: the block `environment` of the page. */
export type Environment = ComponentProps<typeof KeycloakProvider>['environment'] & { readonly adminBaseUrl: string };

/** @throws Error if the page was not written by a host */
export function readEnvironment(): Environment {
  const block = document.getElementById('environment')?.textContent ?? '';
  if (block.trim() === '') throw new Error('the page says nothing of its host: it is served by Keyhost, not by itself');
  // The console adds the name of Keycloak's own logo to the address of its resources.
  return { ...(JSON.parse(block) as Environment), logo: mark.slice(mark.lastIndexOf('/')) };
}
