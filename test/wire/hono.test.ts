import { describeTranscripts } from './play-transcripts.ts';
import { honoVariant } from './variants.ts';

describeTranscripts(honoVariant);
