/**
 * Names of settings that earlier versions had. Unknown names stop the start; these have no effect and are logged, so
 * that an update starts with the environment of before.
 */
export const removedSettings: readonly string[] = ['PLATEN_CONNECTIONS_PER_NETWORK_MAX'];
