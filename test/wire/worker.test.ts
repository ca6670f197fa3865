import { describeTranscripts } from './play-transcripts.ts';
import { workerVariant } from './variants.ts';

describeTranscripts(workerVariant);
