/** Parses the JSON-RPC message of a request, and bounds its values, because the SDK checks each of them. */
import { countValues } from '../foundation/count-values.ts';
import { AppError } from '../foundation/errors.ts';

/** Upper bound of the values of a message beside the arguments of its call. Clients need some dozen. */
const valuesMax = 500;

/** Upper bound of the arguments of a call. A tool has up to four. */
const argumentsMax = 50;

/** Parses the message; undefined for a body that is no JSON, which the SDK answers. Throws BAD_REQUEST. */
export function readMessage(body: Buffer): unknown {
  let message: unknown;
  try {
    message = JSON.parse(body.toString());
  } catch {
    return undefined;
  }
  // The tools bound the values and documents in arguments.
  const given = argumentsOf(message);
  if (given !== undefined && Object.keys(given).length > argumentsMax) {
    throw new AppError('BAD_REQUEST', `The call has more than ${argumentsMax} arguments.`);
  }
  if (countValues(message, valuesMax, given) > valuesMax) {
    const text = `The message has more than ${valuesMax} values beside the arguments of a call.`;
    throw new AppError('BAD_REQUEST', text);
  }
  return message;
}

function argumentsOf(message: unknown): object | undefined {
  const { method, params } = (message ?? {}) as { method?: unknown; params?: unknown };
  if (method !== 'tools/call') return undefined;
  const { arguments: given } = (params ?? {}) as { arguments?: unknown };
  return typeof given === 'object' && given !== null ? given : undefined;
}
