import java.io.FileReader;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.AccessDeniedException;
import java.nio.file.CopyOption;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;
import org.apache.sshd.common.file.virtualfs.VirtualFileSystemFactory;
import org.apache.sshd.common.kex.BuiltinDHFactories;
import org.apache.sshd.common.keyprovider.FileKeyPairProvider;
import org.apache.sshd.core.CoreModuleProperties;
import org.apache.sshd.server.ServerBuilder;
import org.apache.sshd.server.SshServer;
import org.apache.sshd.server.auth.keyboard.DefaultKeyboardInteractiveAuthenticator;
import org.apache.sshd.server.auth.pubkey.RejectAllPublickeyAuthenticator;
import org.apache.sshd.server.session.ServerSession;
import org.apache.sshd.sftp.server.Handle;
import org.apache.sshd.sftp.server.SftpEventListener;
import org.apache.sshd.sftp.server.SftpSubsystemFactory;

/** Runs an SFTP server of Apache MINA SSHD by a file of properties, until it is ended. */
public class MinaSftpServer {
  public static void main(String[] args) throws Exception {
    Properties settings = new Properties();
    try (Reader file = new FileReader(args[0])) {
      settings.load(file);
    }
    SshServer server = SshServer.setUpDefaultServer();
    server.setHost("127.0.0.1");
    server.setPort(Integer.parseInt(settings.getProperty("port")));
    server.setKeyPairProvider(
        new FileKeyPairProvider(Stream.of(settings.getProperty("hostKeys").split(",")).map(Path::of).toList()));
    server.setFileSystemFactory(new VirtualFileSystemFactory(Path.of(settings.getProperty("home"))));
    server.setPasswordAuthenticator(
        (user, password, session) ->
            user.equals(settings.getProperty("username")) && password.equals(settings.getProperty("password")));
    server.setKeyboardInteractiveAuthenticator(DefaultKeyboardInteractiveAuthenticator.INSTANCE);
    server.setPublickeyAuthenticator(RejectAllPublickeyAuthenticator.INSTANCE);
    CoreModuleProperties.AUTH_METHODS.set(server, settings.getProperty("methods"));
    CoreModuleProperties.MAX_AUTH_REQUESTS.set(server, Integer.parseInt(settings.getProperty("attempts", "20")));
    if (settings.containsKey("keyExchange")) {
      BuiltinDHFactories only = BuiltinDHFactories.fromFactoryName(settings.getProperty("keyExchange"));
      server.setKeyExchangeFactories(List.of(ServerBuilder.DH2KEX.apply(only)));
    }
    SftpSubsystemFactory sftp = new SftpSubsystemFactory();
    sftp.addSftpEventListener(
        new Limits(
            Boolean.parseBoolean(settings.getProperty("renames", "true")), settings.getProperty("names", ".*")));
    server.setSubsystemFactories(List.of(sftp));
    server.start();
    Thread.currentThread().join();
  }

  /** Refuses what the user may not do; the server answers with the status of the exception. */
  private record Limits(boolean allowsRenaming, String names) implements SftpEventListener {
    @Override
    public void opening(ServerSession session, String remoteHandle, Handle handle) throws IOException {
      check(handle.getFile(), handle.getFile().toString().matches(names));
    }

    @Override
    public void moving(ServerSession session, Path from, Path to, Collection<CopyOption> options)
        throws IOException {
      check(from, allowsRenaming);
    }

    private static void check(Path file, boolean isAllowed) throws IOException {
      if (!isAllowed) throw new AccessDeniedException(file.toString());
    }
  }
}
