import eu.europa.esig.dss.diagnostic.SignatureWrapper;
import eu.europa.esig.dss.model.FileDocument;
import eu.europa.esig.dss.spi.validation.CommonCertificateVerifier;
import eu.europa.esig.dss.validation.SignedDocumentValidator;
import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/** Reads file names from the standard input and says of each, in one line with tabs, what EU DSS finds in its signature. */
public final class Judge {
  public static void main(String[] arguments) throws Exception {
    var names = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String name = names.readLine(); name != null; name = names.readLine()) System.out.println(name + "\t" + judge(name));
  }

  private static String judge(String name) {
    try {
      var validator = SignedDocumentValidator.fromDocument(new FileDocument(new File(name)));
      validator.setCertificateVerifier(new CommonCertificateVerifier(true));
      var signatures = validator.validateDocument().getDiagnosticData().getSignatures();
      if (signatures.size() != 1) return "signatures=" + signatures.size();
      SignatureWrapper signature = signatures.get(0);
      boolean references = signature.getDigestMatchers().stream().allMatch(m -> m.isDataFound() && m.isDataIntact());
      boolean issuer = signature.getSigningCertificateReferences().stream()
          .allMatch(r -> r.isDigestValueMatch() && (!r.isIssuerSerialPresent() || r.isIssuerSerialMatch()));
      boolean stamps = signature.getTimestampList().stream()
          .allMatch(t -> t.isMessageImprintDataIntact() && t.isSignatureIntact());
      return String.join("\t",
          "signatures=1",
          "format=" + signature.getSignatureFormat(),
          "policy=" + signature.getPolicyId(),
          "intact=" + signature.isSignatureIntact(),
          "references=" + references,
          "structure=" + signature.isStructuralValidationValid(),
          "certificate=" + (signature.isSigningCertificateIdentified() && issuer),
          "timestamps=" + signature.getTimestampList().size() + (stamps ? "" : " broken"));
    } catch (Exception e) {
      return "error=" + e.toString().replaceAll("\\s+", " ");
    }
  }
}
