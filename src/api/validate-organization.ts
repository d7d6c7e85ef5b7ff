/** `GET /v1/validate-organization`: whether a key is valid, and whose it is. */
import type { KeyHolders } from '../http/api-key.ts';
import { jsonReply } from '../http/reply.ts';
import type { Route } from '../http/server.ts';

/** 200 with the key's organization, or 401; both say `valid`. */
export function validateOrganizationRoute(
  organizations: KeyHolders<{ uid: string; name: string }>,
): Route {
  return {
    name: 'validate-organization',
    path: '/v1/validate-organization',
    errorShape: 'organization',
    get: ({ apiKey }) => {
      const organization = organizations.findByKey(apiKey);
      if (organization === undefined) {
        return { ...jsonReply(401, { valid: false, error: 'Invalid API key' }), cause: 'key' };
      }
      const { uid, name } = organization;
      return jsonReply(200, { valid: true, organization: { uid, name } });
    },
  };
}
