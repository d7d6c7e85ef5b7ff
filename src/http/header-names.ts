/** Names of the headers that each request is asked for, as bytes: the addon takes a text in three times as long (0.15 µs). */

const toBytes = (name: string): ArrayBuffer => Uint8Array.from(Buffer.from(name, 'latin1')).buffer;

export const hostName = toBytes('host');
export const contentLengthName = toBytes('content-length');
export const transferEncodingName = toBytes('transfer-encoding');
export const ifNoneMatchName = toBytes('if-none-match');
