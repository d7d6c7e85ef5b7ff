/** Puts into words what a schema expects, for its errors and for editors. */

/** What a schema's node describes, with its range when it has one and no number is named; undefined without a description. */
export function describeSchema(node: unknown): string | undefined {
  const { description, anyOf } = (node ?? {}) as Record<string, unknown>;
  if (typeof description !== 'string') return undefined;
  const range = rangeOf(node) ?? rangeOf(Array.isArray(anyOf) ? anyOf[0] : undefined);
  return /\d/.test(description) || range === undefined ? description : `${description}, ${range}`;
}

function rangeOf(node: unknown): string | undefined {
  const { minimum, maximum } = (node ?? {}) as Record<string, unknown>;
  if (typeof minimum !== 'number' || typeof maximum !== 'number') return undefined;
  return `${minimum} to ${maximum}`;
}
