// Every mutant of a server: {name, class, id, revision, transport, base, what, and its hooks}. They are written from the
// specification, not from what the checks do. `id` is the rule that is broken; where one change breaks
// several rules, any of them.

import {httpMutants, headerMutants, originMutants} from './classes/http.mjs';
import {idMutants, notificationMutants} from './classes/ids.mjs';
import {encodingMutants, framingMutants} from './classes/texts.mjs';
import {batchMutants, versionMutants} from './classes/versions.mjs';
import {connectionMutants, legacyMethodMutants, memoryMutants} from './classes/stateless.mjs';
import {errorCodeMutants, errorShapeMutants, metaErrorMutants, otherErrorMutants} from './classes/errors.mjs';
import {cancellationMutants, progressMutants, streamMutants, subscriptionMutants} from './classes/streams.mjs';
import {askingMutants, mrtrMutants, structuredMutants} from './classes/contents.mjs';
import {contentMutants, hintAndLogMutants, listMutants} from './classes/lists.mjs';

const classes = {
  'ids': idMutants, 'notifications': notificationMutants, 'encodings': encodingMutants, 'frames': framingMutants,
  'versions': versionMutants, 'batches': batchMutants, 'methods of the old era': legacyMethodMutants,
  'what the connection did': connectionMutants, 'state remembered': memoryMutants,
  'codes of errors': errorCodeMutants, 'shapes of messages': errorShapeMutants, 'metadata and capabilities': metaErrorMutants,
  'other errors': otherErrorMutants, 'headers that mirror': headerMutants, 'origins': originMutants,
  'types and sessions': httpMutants, 'streams of events': streamMutants, 'progress': progressMutants,
  'cancellation': cancellationMutants, 'subscriptions': subscriptionMutants, 'request state and input': mrtrMutants,
  'questions': askingMutants, 'structured content': structuredMutants, 'lists and capabilities': listMutants,
  'contents': contentMutants, 'hints and logs': hintAndLogMutants,
};

const baseOf = revision => revision === '2026-07-28' ? 'modern' : 'legacy';

export const mutants = Object.entries(classes).flatMap(([kind, all]) => all.flatMap(({in: places, name, base, id, ...mutant}) => places.map(place => {
  const [revision, transport] = place.split(' ');
  return {...mutant, class: kind, ids: [id].flat(), revision, transport, base: base ?? baseOf(revision),
          name: `${name}@${revision}-${transport}`};
})));
